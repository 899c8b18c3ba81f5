import { keepPreviousData, MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { loseSession } from '../app/lost-session.ts'
import { type Init, type PathOf, send, sendForList, takeCsrfToken } from './client.ts'
import { ApiFailure } from './failure.ts'

/**
 * A question to the service for `useQuery`: `useQuery(ask('/merchants/{merchantId}/orders/{orderUuid}', { params: … }))`.
 * Answers with the same path are made stale together: `queryClient.invalidateQueries({ queryKey: ['/merchants/…'] })`.
 */
export function ask<P extends PathOf<'get'>>(path: P, ...init: Init<P, 'get'>) {
  return queryOptions({
    queryKey: [path, init[0]] as const,
    queryFn: ({ signal }) => send('get', path, ...withSignal(init, signal)),
  })
}

/** The same for a page of a list; the page before stays on the screen until the next one is there. */
export function askForList<P extends PathOf<'get'>>(path: P, ...init: Init<P, 'get'>) {
  return queryOptions({
    queryKey: [path, init[0]] as const,
    queryFn: ({ signal }) => sendForList(path, ...withSignal(init, signal)),
    placeholderData: keepPreviousData,
  })
}

function withSignal<I extends readonly [object?]>(init: I, signal: AbortSignal): I {
  return [{ ...init[0], signal }] as unknown as I
}

/** Failures that another try may mend: the service is away or busy. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiFailure && (error.status === 0 || error.status === 429 || error.status >= 502)
}

/**
 * A 401 may mean a wrong code or the end of the session, so this asks the service which. A 403 may mean that another tab has
 * renewed the session: the next press carries its new token, if it still is the same person's. Before the first sign-in
 * there is no session to lose.
 */
async function noticeLostSession(error: unknown, key: readonly unknown[] = []): Promise<void> {
  if (!(error instanceof ApiFailure && (error.isSignedOut || error.status === 403)) || key[0] === '/session') return
  const known = queryClient.getQueryData<{ readonly staff_uuid: string }>(['/session'])
  if (known === undefined) return
  const still = await send('get', '/session').then(
    ({ csrf, staff_uuid }) => {
      if (staff_uuid !== known.staff_uuid) return false
      takeCsrfToken(csrf)
      return true
    },
    (failure: unknown) => !(failure instanceof ApiFailure && failure.isSignedOut),
  )
  if (!still) loseSession()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey }) => void noticeLostSession(error, queryKey) }),
  mutationCache: new MutationCache({ onError: (error) => void noticeLostSession(error) }),
  // Browsers may be wrong about the network. What waits for it would say nothing, and an action could come hours late.
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 15_000,
      retry: (count, error) => count < 2 && isPassing(error),
      // A page without data shows the failure; a page with data keeps showing it.
      throwOnError: (_error, query) => query.state.data === undefined,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
