import { useState } from 'react'

export interface Versioned {
  readonly version: string
}

/** What a form sends: its values, on top of the version that they were begun with. */
export interface Edit<Values> extends Versioned {
  readonly values: Values
}

export interface Draft<Saved extends Versioned, Values> {
  readonly saved: Saved
  readonly values: Values
  readonly set: (changes: Partial<Values>) => void
  /** What the values were begun with. */
  readonly begun: Saved
  readonly changed: boolean
  readonly edit: Edit<Values>
  /** Begins anew with what is saved. */
  readonly take: (saved: Saved) => void
  /** Takes what was saved by `sent`, and leaves what was typed since then. */
  readonly settle: (saved: Saved, sent: Values) => void
}

/**
 * The values of a form of settings. Where nothing is typed they follow what is saved. What is typed stays, with the version
 * that it was begun with: so nobody undoes unseen what somebody else has saved meanwhile.
 */
export function useDraft<Saved extends Versioned, Values>(
  saved: Saved,
  valuesOf: (saved: Saved) => Values,
): Draft<Saved, Values> {
  const [begun, setBegun] = useState(saved)
  const [values, setValues] = useState(() => valuesOf(saved))
  // What was taken can be newer than `saved`, which follows only when it is next asked for.
  const [passed, setPassed] = useState<string>()
  const changed = !isSame(values, valuesOf(begun))
  const begin = (next: Saved) => {
    setPassed(saved.version)
    setBegun(next)
  }
  const take = (next: Saved) => {
    begin(next)
    setValues(valuesOf(next))
  }
  if (passed !== undefined && passed !== saved.version) setPassed(undefined)
  if (!changed && saved.version !== begun.version && saved.version !== passed) take(saved)
  return {
    ...{ saved, values, begun, changed, take },
    set: (changes) => setValues((before) => ({ ...before, ...changes })),
    edit: { version: begun.version, values },
    settle(next, sent) {
      begin(next)
      setValues((now) => (isSame(now, sent) ? valuesOf(next) : now))
    },
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
