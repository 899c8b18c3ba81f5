import { type ComponentType, createElement, lazy } from 'react'
import { unreachable } from '../api/failure.ts'

/** Files of the dashboard that are loaded when they are first needed. */

/** A file that the service does not have: after an upgrade, it has those of another build. */
export class MissingFile extends Error {
  override readonly name = 'MissingFile'
}

/** Loads a file. Throws `ApiFailure` if the service cannot be reached, and `MissingFile` if it can. */
export function loadFile<Module>(load: () => Promise<Module>): Promise<Module> {
  return load().catch(async (cause: unknown) => {
    throw (await isReachable())
      ? new MissingFile('the service does not have a file of this build', { cause })
      : unreachable()
  })
}

const patience_ms = 10_000

/** Browsers say that they have a network while the service is away. */
function isReachable(): Promise<boolean> {
  return fetch(location.href, { signal: AbortSignal.timeout(patience_ms) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

const failed = new Set<() => void>()

/** Has components that could not be loaded try again when they are drawn next. */
export function forgetFailedFiles(): void {
  for (const forget of failed) forget()
  failed.clear()
}

const for_forms = new Set<() => Promise<unknown>>()

/** Loads what a form with changes may need while its build is there: to load the page anew would lose the changes. */
export function loadForForms(): void {
  for (const load of for_forms) void load().catch(() => undefined)
}

interface LaterOptions {
  /** Forms with changes may need it. */
  readonly forForms?: boolean
}

/** A component that is loaded when it is first drawn: `later(() => import('./refund.tsx'), 'RefundDialog')`. */
export function later<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
  { forForms = false }: LaterOptions = {},
): ComponentType<Props> {
  if (forForms) for_forms.add(load)
  const make = () =>
    lazy<ComponentType<Props>>(async () => {
      try {
        return { default: (await loadFile(load))[name] }
      } catch (error) {
        // React keeps a failure for good.
        failed.add(() => {
          component = make()
        })
        throw error
      }
    })
  let component = make()
  return (props) => createElement<Props>(component, props)
}

const stored_as = 'nuqta-reloaded'

/** The name of this file changes with the build. */
const build = import.meta.url

/** Loads the page anew, unless that has brought the same build before. */
export function reloadForNewBuild(): void {
  try {
    if (sessionStorage.getItem(stored_as) === build) return
    sessionStorage.setItem(stored_as, build)
    location.reload()
  } catch {
    // Storage is forbidden: the reader can still reload.
  }
}
