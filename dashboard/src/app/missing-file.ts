/** Scripts and styles that cannot be loaded: after an upgrade, the service has those of another build. */

const failures = new WeakSet<Error>()

/** Call this before anything is loaded later. */
export function noticeMissingFiles(): void {
  addEventListener('vite:preloadError', ({ payload }) => failures.add(payload))
}

export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && (failures.has(error) || isMissingFile(error.cause))
}

const stored_as = 'nuqta-reloaded'

/** The name of this file changes with the build. */
const build = import.meta.url

/**
 * Loads the page anew, unless that has brought the same build before. Does nothing while the service is away: the browser
 * would show a page of its own instead of the dashboard.
 */
export async function reloadForNewBuild(): Promise<void> {
  try {
    if (sessionStorage.getItem(stored_as) === build || !(await fetch(location.href)).ok) return
    sessionStorage.setItem(stored_as, build)
    location.reload()
  } catch {
    // Storage is forbidden or the service cannot be reached: the reader can still reload.
  }
}
