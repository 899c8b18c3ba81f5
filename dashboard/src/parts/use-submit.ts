import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiFailure } from '../api/failure.ts'
import { actProven, isNotProven } from '../app/proof.ts'
import { useTexts } from '../texts/texts.tsx'
import { failureText } from './failure-text.ts'

export interface Submit<Values> {
  /** Sends the values; does nothing while an earlier sending runs. */
  readonly submit: (values: Values) => void
  readonly pending: boolean
  /** Undefined, or what to say above the form. */
  readonly error: string | undefined
  /** The sentence of a field, as `errors` of the envelope names it. */
  readonly fieldError: (name: string) => string | undefined
  /** The failure itself, for what is special: `failure.current` of a stale edit. */
  readonly failure: ApiFailure | undefined
  readonly reset: () => void
}

/** The longest wait for fresh answers after an action: what it gave may be shown only once. */
const most_ms = 4_000

/**
 * One action of a form or button. `send` gets the values and one Idempotency-Key for the submission. A second press after a
 * lost answer sends the same values under the same key, so the service acts only once.
 */
export function useSubmit<Values = void, Result = unknown>({
  send,
  done,
  stale = [],
  turns,
}: {
  send: (values: Values, key: { readonly 'idempotency-key': string }) => Promise<Result>
  done?: (result: Result, values: Values) => unknown
  /** Paths of the API whose answers the action changed. */
  stale?: readonly string[]
  /** Actions of this name wait for each other: each is sent on top of what the one before has changed. */
  turns?: string
}): Submit<Values> {
  const { t } = useTexts()
  const client = useQueryClient()
  const keys = useRef(new Map<string, string>())
  const running = useRef(false)
  const [failure, setFailure] = useState<unknown>()
  const mutation = useMutation({
    ...(turns && { scope: { id: turns } }),
    mutationFn: (values: Values) => actProven(() => send(values, { 'idempotency-key': keyFor(keys.current, values) })),
    async onSuccess(result, values) {
      keys.current.clear()
      setFailure(undefined)
      const fresh = Promise.all(stale.map((path) => client.invalidateQueries({ queryKey: [path] })))
      await Promise.race([fresh, new Promise((end) => setTimeout(end, most_ms))])
      await done?.(result, values)
    },
    onError(error) {
      // A refusal is an answer: the next press is a new submission. Without an answer, it is the same one.
      if (error instanceof ApiFailure && error.status !== 0 && error.status < 500) keys.current.clear()
      setFailure(isNotProven(error) ? undefined : error)
    },
    onSettled() {
      running.current = false
    },
  })
  const known = failure instanceof ApiFailure ? failure : undefined
  const submit = (values: Values) => {
    if (running.current) return
    running.current = true
    setFailure(undefined)
    mutation.mutate(values)
  }
  return {
    submit,
    pending: mutation.isPending,
    error: failure === undefined ? undefined : failureText(failure, t),
    fieldError: (name) => known?.errors[name]?.[0],
    failure: known,
    reset: () => setFailure(undefined),
  }
}

/** The same values keep their key until they were answered. */
function keyFor(keys: Map<string, string>, values: unknown): string {
  const text = JSON.stringify(values) ?? ''
  const key = keys.get(text) ?? crypto.randomUUID()
  keys.clear()
  keys.set(text, key)
  return key
}
