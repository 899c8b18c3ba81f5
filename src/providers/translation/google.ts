import { type Answer, valueAt } from '../exchange.ts'
import type { Translator } from './port.ts'
import { failed, postJson, translated } from './post-json.ts'

const standardUrl = 'https://translation.googleapis.com'
const path = '/language/translate/v2'

/**
 * Google Cloud Translation, Basic (v2): `POST …/language/translate/v2?key=…`. Errors are
 * `{"error": {"code", "message", "errors": [{"reason", "domain"}]}}`. A used-up quota is a 429, or a 403 of the domain
 * `usageLimits`. An invalid key is a 403, or a 400 with the reason `API_KEY_INVALID` in its details.
 */
export function createGoogleTranslate({
  url,
  key,
}: {
  readonly url?: string | undefined
  readonly key: string
}): Translator {
  const endpoint = new URL(url ?? standardUrl)
  if (endpoint.pathname === '/') endpoint.pathname = path
  endpoint.searchParams.set('key', key)
  return {
    translate({ text, source, target }, signal) {
      return postJson(endpoint, { q: text, source, target, format: 'text' }, { signal, read })
    },
  }
}

function read({ status, body }: Answer) {
  if (status === 200) return translated(valueAt(body, 'data', 'translations', 0, 'translatedText'))
  if (status === 429 || isUsedUp(body)) return failed('busy')
  if (status === 401 || status === 403 || isInvalidKey(body)) return failed('credentials')
  return failed(status >= 500 ? 'unreachable' : 'refused')
}

function isUsedUp(body: unknown): boolean {
  const domain = valueAt(body, 'error', 'errors', 0, 'domain')
  const reason = String(valueAt(body, 'error', 'errors', 0, 'reason'))
  // A key whose project may not use the API has the same domain, with another reason.
  return domain === 'usageLimits' && /limitExceeded$/i.test(reason)
}

function isInvalidKey(body: unknown): boolean {
  return valueAt(body, 'error', 'details', 0, 'reason') === 'API_KEY_INVALID'
}
