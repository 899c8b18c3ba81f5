import createClient, { type FetchOptions } from 'openapi-fetch'
import type { FilterKeys, HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers'
import { failureOf, unreachable } from './failure.ts'
import type { paths } from './schema.d.ts'

/** Requests to the service, typed by its description. Every answer is an envelope; a failure is thrown as ApiFailure. */

export const api_prefix = '/dashboard/api'

/** What a request needs that no page knows. */
const context = { csrf: '', locale: 'en' }

/** Takes the token of the session, which every request that changes something has to carry. */
export function takeCsrfToken(csrf: string): void {
  context.csrf = csrf
}

/** Takes the language of failures. */
export function askIn(locale: string): void {
  context.locale = locale
}

export function askedIn(): string {
  return context.locale
}

const client = createClient<paths>({ baseUrl: api_prefix, credentials: 'same-origin' })

client.use({
  onRequest({ request }) {
    request.headers.set('accept-language', context.locale)
    if (request.method !== 'GET') request.headers.set('x-csrf-token', context.csrf)
  },
})

export type PathOf<M extends HttpMethod> = PathsWithMethod<paths, M>

type Options<P extends keyof paths, M extends HttpMethod> = FetchOptions<FilterKeys<paths[P], M>>

/** The parameters of a path, which may be left out when the path needs none. */
export type Init<P extends keyof paths, M extends HttpMethod> =
  RequiredKeysOf<Options<P, M>> extends never ? [init?: Options<P, M>] : [init: Options<P, M>]

type Successes<Operation> = Operation extends { responses: infer Responses }
  ? Responses[keyof Responses & (200 | 201)]
  : never

type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : never

/** The envelope of a success. */
type Envelope<P extends keyof paths, M extends HttpMethod> = M extends keyof paths[P]
  ? JsonOf<Successes<paths[P][M]>>
  : never

/** The `data` of an answer: `DataOf<'/session', 'get'>`. */
export type DataOf<P extends keyof paths, M extends HttpMethod> =
  Envelope<P, M> extends { data: infer Data } ? Data : never

/** A row of a list: `RowOf<'/merchants/{merchantId}/orders'>`. */
export type RowOf<P extends PathOf<'get'>> = DataOf<P, 'get'> extends readonly (infer Row)[] ? Row : never

/** Sends a request and gives the `data` of its answer. */
export async function send<M extends HttpMethod, P extends PathOf<M>>(
  method: M,
  path: P,
  ...init: Init<P, M>
): Promise<DataOf<P, M>> {
  const envelope = await exchange(method, path, init[0])
  return envelope['data'] as DataOf<P, M>
}

/** A page of a list. `beside` holds the other fields of the answer. */
interface ListPage<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
  readonly beside: Readonly<Record<string, unknown>>
}

/** Sends a request and gives the rows of a list, with the cursor of the next page. */
export async function sendForList<P extends PathOf<'get'>>(
  path: P,
  ...init: Init<P, 'get'>
): Promise<ListPage<RowOf<P>>> {
  const { data, next, ...beside } = await exchange('get', path, init[0])
  return { rows: data as readonly RowOf<P>[], next: typeof next === 'string' ? next : null, beside }
}

async function exchange(method: HttpMethod, path: string, init: object | undefined): Promise<Record<string, unknown>> {
  // The signatures above give the types: openapi-fetch cannot infer them for a method that is a variable.
  const request = client.request as unknown as (
    method: string,
    path: string,
    init?: object,
  ) => Promise<{ data?: Record<string, unknown>; error?: unknown; response: Response }>
  const { data, error, response } = await request(method, path, init).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw unreachable()
  })
  if (!response.ok || data === undefined) throw failureOf(response, error)
  return data
}
