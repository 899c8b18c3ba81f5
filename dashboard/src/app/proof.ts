import { useSyncExternalStore } from 'react'
import { ApiFailure } from '../api/failure.ts'

/** An act that needs a recent sign-in waits, with what was typed, while the reader proves who they are. */

/** The reader did not want to. */
class NotProven extends Error {
  override readonly name = 'NotProven'
}

export interface Asked {
  /** What the account has to prove it by. */
  readonly by: readonly string[]
  readonly end: (proven: boolean) => void
}

let asked: { readonly question: Asked; readonly answer: Promise<boolean> } | undefined
const listeners = new Set<() => void>()

function set(next: typeof asked): void {
  asked = next
  for (const listener of listeners) listener()
}

/** Acts that wait at the same time share one question. */
function ask(by: readonly string[]): Promise<boolean> {
  if (asked !== undefined) return asked.answer
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const question: Asked = {
    by,
    end(proven) {
      if (asked?.question === question) set(undefined)
      resolve(proven)
    },
  }
  set({ question, answer: promise })
  return promise
}

/** Acts, and acts again once the reader has proven who they are, if the service asks for that. */
export async function actProven<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    const by = error instanceof ApiFailure ? error.confirmBy : []
    if (by.length === 0) throw error
    if (!(await ask(by))) throw new NotProven()
    return act()
  }
}

export const isNotProven = (error: unknown): boolean => error instanceof NotProven

/** What the reader is asked; undefined for nothing. */
export function useAsked(): Asked | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked?.question,
  )
}
