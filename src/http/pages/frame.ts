import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Failure } from '../../domain/failures.ts'
import type { Locale } from '../../domain/locale.ts'
import { compressText, randomPadding } from '../../lib/compress.ts'
import { langLocale, negotiateLocale } from '../api/locale.ts'
import { closeIfTooSlow, headersOf, statusOf, typedAsSaid } from '../api/responses.ts'
import { withBodyHeld } from '../transport/body.ts'
import type { BodyBudget } from '../transport/body-budget.ts'
import {
  browserOf,
  newBrowser,
  readCookies,
  rememberBrowser,
  rememberedLocale,
  rememberLocale,
  setCookieHeader,
} from './cookies.ts'
import { checkForm, type FormKeys, firstOfEach, installPageReader, readForm, takeBytes } from './form.ts'
import type { Cookie, Page, PageRequest, PageRow, Pages } from './page.ts'

/** Every method and path of the pages. */
export function pageEndpoints<Services>({ rows }: Pages<Services>): { method: 'GET' | 'POST'; path: string }[] {
  return rows.flatMap(({ path, show, submit }) => [
    ...(show === undefined ? [] : [{ method: 'GET', path } as const]),
    ...(submit === undefined ? [] : [{ method: 'POST', path } as const]),
  ])
}

/** Every page has them, unless it says otherwise. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  ...typedAsSaid,
  'x-frame-options': 'DENY',
  // The URL of a page may be all it takes to use the page, so no other site may see it.
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
        scope.post(path, (request, reply) => withBodyHeld(request, () => answer(row, submit, request, reply)))
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
    const pageRequest = toPageRequest(request, forms)
    if (pageRequest.method === 'GET' || row.posts === 'anyone')
      return send(reply, await handle(pageRequest, services), frameCookies(row, request, pageRequest))
    const form = readForm(request.headers, pageRequest.body)
    checkForm(forms, request.headers, pageRequest.cookies, form)
    return send(reply, await handle({ ...pageRequest, form }, services), frameCookies(row, request, pageRequest))
  }
}

/**
 * Cookies that the frame adds. Not to a POST: one from another site comes without cookies, and must not replace them.
 */
function frameCookies<Services>(row: PageRow<Services>, request: FastifyRequest, pageRequest: PageRequest): Cookie[] {
  const own = row.submit !== undefined && row.posts !== 'anyone'
  if (!(row.cookies ?? own) || pageRequest.method === 'POST') return []
  const locale = langLocale(queryOf(request, 'lang'))
  return [rememberBrowser(pageRequest.browser), ...(locale === undefined ? [] : [rememberLocale(locale)])]
}

/** Whether a client that asks for an unknown path is a browser, by `Accept`. Programs take anything, or name JSON. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  const ranges = (headers.accept ?? '').split(',', 50).map((range) => range.trim().toLowerCase())
  return ranges.some((range) => /^text\/html\b/.test(range) && !/;\s*q=0(\.0*)?\s*$/.test(range))
}

/** Answers with a failure as a page. */
export function replyFailurePage<Services>(
  { rows, showFailure }: Pages<Services>,
  request: FastifyRequest,
  reply: FastifyReply,
  { failed, services }: { readonly failed: Failure; readonly services: Services },
): FastifyReply {
  request.failure = failed.kind
  const place = { again: startOf(rows, request), services }
  const page = showFailure(failed, statusOf(failed.kind), pageLocale(request), place)
  return send(closeIfTooSlow(reply, failed).headers(headersOf(failed)), page)
}

/** Where the reader can start again: the page itself, or the page whose form was sent. */
function startOf<Services>(rows: readonly PageRow<Services>[], request: FastifyRequest): string | undefined {
  const path = request.routeOptions.url
  if (rows.some((row) => row.path === path && row.show !== undefined)) return request.url.split('?', 1)[0]
  const { referer, host } = request.headers
  const from = referer === undefined ? null : URL.parse(referer)
  // A path that begins with two slashes would lead to the host that it names.
  const isOurs = from?.protocol === 'https:' && from.host === host && !from.pathname.startsWith('//')
  return isOurs ? from.pathname : undefined
}

function send(reply: FastifyReply, page: Page, cookies: readonly Cookie[] = []): FastifyReply {
  const all = [...cookies, ...(page.cookies ?? [])]
  if (all.length > 0) reply.header('set-cookie', all.map(setCookieHeader))
  const { body, headers } = encodedFor(reply.request, page)
  return reply
    .code(page.status)
    .headers({ ...pageHeaders, ...page.headers, ...headers })
    .send(body)
}

/** Compresses HTML. Assets come compressed. */
function encodedFor({ headers }: FastifyRequest, { body, headers: own }: Page): Pick<Page, 'body' | 'headers'> {
  const is_html = typeof body === 'string' && own['content-type'] === undefined
  const compressed = is_html ? compressText(body + randomPadding(), headers['accept-encoding']) : undefined
  if (compressed === undefined) return { body, headers: {} }
  const vary = `${own['vary'] ?? pageHeaders.vary}, Accept-Encoding`
  return { body: compressed.body, headers: { ...compressed.headers, vary } }
}

/** The language of a page and of its failures. */
function pageLocale(request: FastifyRequest, cookies = readCookies(request.headers.cookie)): Locale {
  const begins = langLocale(queryOf(request, 'begins'))
  return chosenLocale(request, cookies) ?? begins ?? negotiateLocale(undefined, request.headers['accept-language'])
}

/** The language that the reader chose: by `lang` now, or by `lang` before. */
function chosenLocale(request: FastifyRequest, cookies: PageRequest['cookies']): Locale | undefined {
  return langLocale([queryOf(request, 'lang'), rememberedLocale(cookies)].flat())
}

/** `lang` chooses a language. `begins` is that of the page with the link, for a reader who has chosen none. */
function queryOf({ query }: FastifyRequest, name: 'lang' | 'begins'): unknown {
  return typeof query === 'object' && query !== null ? Reflect.get(query, name) : undefined
}

/** Gathers what a page needs of its request, after the body was read. */
function toPageRequest(request: FastifyRequest, { tokenOf }: FormKeys): PageRequest {
  const { headers } = request
  const cookies = readCookies(headers.cookie)
  const browser = browserOf(cookies) ?? newBrowser()
  return {
    method: request.method === 'POST' ? 'POST' : 'GET',
    params: request.params as PageRequest['params'], // Fastify gives texts by name
    query: firstOfEach(new URL(request.url, 'https://page').searchParams),
    form: {},
    body: takeBytes(request),
    headers,
    cookies,
    locale: pageLocale(request, cookies),
    chosen_locale: chosenLocale(request, cookies),
    client_address: request.clientAddress(),
    browser,
    csrf: tokenOf(browser),
  }
}
