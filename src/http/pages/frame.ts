import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Failure } from '../../domain/failures.ts'
import { headersOf, statusOf } from '../api/error-answers.ts'
import { endingConnection } from '../api/failing.ts'
import { askedLocale } from '../api/locale.ts'
import { holdingBody } from '../transport/body.ts'
import type { BodyBudget } from '../transport/body-budget.ts'
import { rememberBrowser, rememberLocale, setCookieHeader } from './cookies.ts'
import { checkForm, type FormKeys, installPageReader, readForm } from './form.ts'
import type { Cookie, Page, PageRequest, PageRow, Pages } from './page.ts'
import { langOf, pageLocale, pageRequest } from './request.ts'

/** Every method and path of the pages. */
export function pageEndpoints<Services>({ rows }: Pages<Services>): { method: 'GET' | 'POST'; path: string }[] {
  return rows.flatMap(({ path, show, submit }) => [
    ...(show === undefined ? [] : [{ method: 'GET', path } as const]),
    ...(submit === undefined ? [] : [{ method: 'POST', path } as const]),
  ])
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The link of a page may be all that is needed to use it. Our own forms still say where they come from.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  vary: 'Accept-Language, Cookie',
}

/** Registers every page. */
export function registerPages<Services>(
  app: FastifyInstance,
  { rows, prepare }: Pages<Services>,
  { services, forms }: { readonly services: Services; readonly forms: FormKeys },
  bodies: { readonly budget: BodyBudget; readonly within_ms: number },
): void {
  prepare?.()
  app.register((scope, _options, done) => {
    installPageReader(scope, bodies)
    for (const row of rows) {
      const { path, show, submit } = row
      if (show !== undefined) scope.get(path, (request, reply) => answer(row, show, request, reply))
      if (submit !== undefined) {
        scope.post(path, (request, reply) => holdingBody(request, () => answer(row, submit, request, reply)))
      }
    }
    done()
  })

  async function answer(
    row: PageRow<Services>,
    handle: NonNullable<PageRow<Services>['show']>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const asked = pageRequest(request, forms)
    if (asked.method === 'GET' || row.posts === 'anyone')
      return send(reply, await handle(asked, services), kept(row, request, asked))
    const form = readForm(request.headers, asked.body)
    checkForm(forms, request.headers, asked.cookies, form)
    return send(reply, await handle({ ...asked, form }, services), kept(row, request, asked))
  }
}

/** The cookies of the frame. A POST of another site comes without the browser's name, and must not give it a new one. */
function kept<Services>(row: PageRow<Services>, request: FastifyRequest, asked: PageRequest): Cookie[] {
  const own = row.submit !== undefined && row.posts !== 'anyone'
  if (!(row.cookies ?? own) || asked.method === 'POST') return []
  const locale = askedLocale(langOf(request))
  return [rememberBrowser(asked.browser), ...(locale === undefined ? [] : [rememberLocale(locale)])]
}

/** Answers a request for a page with a failure. */
export function replyFailurePage<Services>(
  { rows, showFailure }: Pages<Services>,
  request: FastifyRequest,
  reply: FastifyReply,
  failed: Failure,
): FastifyReply {
  request.failure = failed.kind
  const page = showFailure(failed, statusOf(failed.kind), pageLocale(request), startOf(rows, request))
  return send(endingConnection(reply, failed).headers(headersOf(failed)), page)
}

/** Where to start anew: the page itself, or the one whose form led to it. */
function startOf<Services>(rows: readonly PageRow<Services>[], request: FastifyRequest): string | undefined {
  const path = request.routeOptions.url
  if (rows.some((row) => row.path === path && row.show !== undefined)) return request.url.split('?', 1)[0]
  const { referer, host } = request.headers
  const from = referer === undefined ? null : URL.parse(referer)
  return from?.protocol === 'https:' && from.host === host ? from.pathname : undefined
}

function send(reply: FastifyReply, page: Page, cookies: readonly Cookie[] = []): FastifyReply {
  const all = [...cookies, ...(page.cookies ?? [])]
  if (all.length > 0) reply.header('set-cookie', all.map(setCookieHeader))
  return reply
    .code(page.status)
    .headers({ ...headers, ...page.headers })
    .send(page.body)
}
