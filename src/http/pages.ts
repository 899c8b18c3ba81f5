import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Failure } from '../domain/failures.ts'
import { headersOf, statusOf } from './errors.ts'
import { localeOf } from './failing.ts'
import type { Locale } from './locale.ts'

/** Pages for people, outside of `/api`: GET, HTML, and HTML for what goes wrong on them too. */

export interface PageRequest {
  readonly params: Readonly<Record<string, string>>
  /** What the reader asked for by `lang` or Accept-Language. */
  readonly locale: Locale
}

export interface Page {
  readonly status: number
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

export interface PageRow<Services> {
  /** With `:names`. */
  readonly path: string
  readonly show: (request: PageRequest, services: Services) => Promise<Page>
}

export interface Pages<Services> {
  readonly rows: readonly PageRow<Services>[]
  /** The page for a failure. */
  readonly showFailure: (failed: Failure, status: number, locale: Locale) => Page
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The link of a page may be all that is needed to use it.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  vary: 'Accept-Language',
}

/** Registers every page. */
export function registerPages<Services>(app: FastifyInstance, { rows }: Pages<Services>, services: Services): void {
  for (const { path, show } of rows) {
    app.get(path, async (request, reply) => {
      const params = request.params as Readonly<Record<string, string>>
      return send(reply, await show({ params, locale: localeOf(request) }, services))
    })
  }
}

/** Answers a request for a page with a failure. */
export function replyFailurePage<Services>(
  { showFailure }: Pages<Services>,
  request: FastifyRequest,
  reply: FastifyReply,
  failed: Failure,
): FastifyReply {
  request.failure = failed.kind
  const status = statusOf(failed.kind)
  return send(reply.headers(headersOf(failed)), showFailure(failed, status, localeOf(request)))
}

function send(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .code(page.status)
    .headers({ ...headers, ...page.headers })
    .send(page.html)
}
