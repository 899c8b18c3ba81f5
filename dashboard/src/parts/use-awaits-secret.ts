import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** `turns` of `useSubmit()` for an action whose answer has what is shown only once. */
export const secretTurns = 'secret'

/** Whether such an action runs: whoever leaves now never sees its answer. */
export function useAwaitsSecret(): boolean {
  const client = useQueryClient()
  return useSyncExternalStore(
    (changed) => client.getMutationCache().subscribe(changed),
    () => client.isMutating({ predicate: ({ options }) => options.scope?.id === secretTurns }) > 0,
  )
}
