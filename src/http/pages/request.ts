import type { FastifyRequest } from 'fastify'
import { askedLocale, type Locale, negotiateLocale } from '../api/locale.ts'
import { browserOf, newBrowser, readCookies, rememberedLocale } from './cookies.ts'
import { type FormKeys, firstOfEach, takeBytes } from './form.ts'
import type { PageRequest } from './page.ts'

/** The language of a page, for its failures too. */
export function pageLocale(request: FastifyRequest, cookies = readCookies(request.headers.cookie)): Locale {
  return chosenLocale(request, cookies) ?? negotiateLocale(undefined, request.headers['accept-language'])
}

/** What the reader has chosen on a page of ours. */
function chosenLocale(request: FastifyRequest, cookies: PageRequest['cookies']): Locale | undefined {
  return askedLocale([langOf(request), rememberedLocale(cookies)].flat())
}

/** What `lang` says. */
export function langOf({ query }: FastifyRequest): unknown {
  return typeof query === 'object' && query !== null && 'lang' in query ? query.lang : undefined
}

/** Gathers what a page is told of its request. Its body, if it has one, has been read. */
export function pageRequest(request: FastifyRequest, { tokenOf }: FormKeys): PageRequest {
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
