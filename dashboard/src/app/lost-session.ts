import { useSyncExternalStore } from 'react'

/** Whether the session has ended while a page was open. The sign-in form then covers the page, which keeps its state. */

let is_lost = false
const listeners = new Set<() => void>()

function set(value: boolean): void {
  if (is_lost === value) return
  is_lost = value
  for (const listener of listeners) listener()
}

export const loseSession = (): void => set(true)
export const findSession = (): void => set(false)

export function useLostSession(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => is_lost,
  )
}
