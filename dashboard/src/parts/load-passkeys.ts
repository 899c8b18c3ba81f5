import { loadFile, MissingFile, reloadForNewBuild } from '../app/later.ts'

/** The package that asks the device for a passkey, loaded when it is first used. Fails as `loadFile()` does. */
export function loadPasskeys() {
  return loadFile(() => import('@simplewebauthn/browser')).catch((error: unknown) => {
    if (error instanceof MissingFile) reloadForNewBuild()
    throw error
  })
}
