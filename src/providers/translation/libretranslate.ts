import { type Answer, valueAt } from '../exchange.ts'
import type { Translator } from './port.ts'
import { failed, postJson, translated } from './post-json.ts'

/**
 * LibreTranslate, usually self-hosted: `POST {base}/translate`. Errors are `{"error": "…"}`: 400 for an invalid request
 * or language, 403 for an unknown key, 429 beyond its limit.
 */
export function createLibreTranslate({
  url,
  key,
}: {
  readonly url: string
  readonly key?: string | undefined
}): Translator {
  const base = url.replace(/\/+$/, '')
  const endpoint = new URL(base.endsWith('/translate') ? base : `${base}/translate`)
  return {
    translate({ text, source, target }, signal) {
      const body = { q: text, source, target, format: 'text', ...(key === undefined ? {} : { api_key: key }) }
      return postJson(endpoint, body, { signal, read })
    },
  }
}

function read({ status, body }: Answer) {
  if (status === 200) return translated(valueAt(body, 'translatedText'))
  if (status === 401 || status === 403) return failed('credentials')
  if (status === 429) return failed('busy')
  return failed(status >= 500 ? 'unreachable' : 'refused')
}
