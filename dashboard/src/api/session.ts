import { queryOptions } from '@tanstack/react-query'
import { type DataOf, send, takeCsrfToken } from './client.ts'
import { ask, askForList, queryClient } from './query.ts'

/** Facts around the page, which shows rows of its own. */
const meta = { isAround: true }

/** Who is signed in. */
export type Session = DataOf<'/session', 'get'>

/** Throws ApiFailure 401 when nobody is signed in. */
export const sessionOptions = queryOptions({
  queryKey: ['/session'] as const,
  queryFn: async (): Promise<Session> => {
    const session = await send('get', '/session')
    takeCsrfToken(session.csrf)
    return session
  },
  staleTime: 60_000,
  meta,
})

/** The merchant that the pages below `/m/…` are about, and what the reader may do there. */
export const merchantOptions = (merchantId: number) =>
  queryOptions({ ...ask('/merchants/{merchantId}', { params: { path: { merchantId } } }), staleTime: 60_000, meta })

/** The program that the pages below `/p/…` are about. */
export const programOptions = (programId: number) =>
  queryOptions({ ...ask('/programs/{programId}', { params: { path: { programId } } }), staleTime: 60_000, meta })

export type ProgramFacts = DataOf<'/programs/{programId}', 'get'>

/** The first programs of the service, as an operator finds them. */
export const programsOptions = queryOptions({ ...askForList('/programs'), staleTime: 60_000 })

export type MerchantFacts = DataOf<'/merchants/{merchantId}', 'get'>

/** Reads the session again, after somebody signed in or changed their account. */
export async function refreshSession(): Promise<Session> {
  return queryClient.fetchQuery({ ...sessionOptions, staleTime: 0 })
}
