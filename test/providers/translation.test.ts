import { describe, expect, it } from 'vitest'
import { createGoogleTranslate } from '../../src/providers/translation/google.ts'
import { createLibreTranslate } from '../../src/providers/translation/libretranslate.ts'
import type { Translator } from '../../src/providers/translation/port.ts'
import { never, type Received, type Scripted, testStandIn } from './stand-in.ts'

// Each adapter against a local server that follows the public documentation. Never tried against a live service.

const key = 'a-key-that-nobody-may-see'
const standIn = testStandIn()

const label = { text: 'قيد التجهيز', source: 'ar', target: 'en' } as const
const ask = (translator: Translator, budget_ms = 2_000) => translator.translate(label, AbortSignal.timeout(budget_ms))

interface Adapter {
  readonly name: string
  make(url: string): Translator
  /** The documented success for a text. */
  success(text: unknown): Scripted
  /** The documented errors, with their meaning. */
  readonly errors: readonly (readonly [what: string, answer: Scripted, reason: string])[]
  check(request: Received | undefined): void
}

const googleError = (code: number, domain: string, reason: string): Scripted => ({
  status: code,
  body: { error: { code, message: 'text', errors: [{ message: 'text', domain, reason }] } },
})

const adapters: readonly Adapter[] = [
  {
    name: 'LibreTranslate',
    make: (url) => createLibreTranslate({ url, key }),
    success: (text) => ({ body: { translatedText: text } }),
    errors: [
      ['an invalid key', { status: 403, body: { error: 'Invalid API key' } }, 'credentials'],
      ['too many requests', { status: 429, body: { error: 'Slowdown: 20 per 1 minute' } }, 'busy'],
      ['an unsupported language', { status: 400, body: { error: 'ar is not supported' } }, 'refused'],
      ['an error of the provider', { status: 500, body: { error: 'Cannot translate text' } }, 'unreachable'],
    ],
    check(request) {
      expect(request).toMatchObject({ method: 'POST', url: '/translate' })
      expect(request?.body).toEqual({ q: label.text, source: 'ar', target: 'en', format: 'text', api_key: key })
    },
  },
  {
    name: 'Google Cloud Translation',
    make: (url) => createGoogleTranslate({ url, key }),
    success: (text) => ({ body: { data: { translations: [{ translatedText: text }] } } }),
    errors: [
      ['a used-up daily quota', googleError(403, 'usageLimits', 'dailyLimitExceeded'), 'busy'],
      ['a used-up quota of a minute', googleError(403, 'usageLimits', 'userRateLimitExceeded'), 'busy'],
      ['too many requests', googleError(429, 'global', 'rateLimitExceeded'), 'busy'],
      ['an API that is not enabled', googleError(403, 'usageLimits', 'accessNotConfigured'), 'credentials'],
      ['a forbidden key', googleError(403, 'global', 'forbidden'), 'credentials'],
      [
        'a key that is not valid',
        {
          status: 400,
          body: { error: { code: 400, message: 'API key not valid.', details: [{ reason: 'API_KEY_INVALID' }] } },
        },
        'credentials',
      ],
      ['an invalid value', googleError(400, 'global', 'invalid'), 'refused'],
      ['an error of the provider', googleError(503, 'global', 'backendError'), 'unreachable'],
    ],
    check(request) {
      expect(request).toMatchObject({ method: 'POST', url: `/language/translate/v2?key=${key}` })
      expect(request?.body).toEqual({ q: label.text, source: 'ar', target: 'en', format: 'text' })
    },
  },
]

describe.each(adapters)('$name', (adapter) => {
  it('sends a request as documented and gives the text', async () => {
    standIn().answer = adapter.success(' Being prepared ')
    expect(await ask(adapter.make(standIn().url))).toEqual({ kind: 'translated', text: 'Being prepared' })
    expect(standIn().received.length).toBe(1)
    adapter.check(standIn().received[0])
  })

  it('accepts a base URL with a trailing slash', async () => {
    standIn().answer = adapter.success('x')
    await ask(adapter.make(`${standIn().url}/`))
    adapter.check(standIn().received[0])
  })

  it.each(adapter.errors)('%s', async (_, answer, reason) => {
    standIn().answer = answer
    const outcome = await ask(adapter.make(standIn().url))
    expect(outcome).toEqual({ kind: 'failed', reason })
    expect(JSON.stringify(outcome)).not.toContain(key)
  })

  it('an unreadable answer is `malformed`: other JSON, no JSON, a blank text, an endless one', async () => {
    const answers: Scripted[] = [
      { body: [] },
      { body: {} },
      { body: '<html>proxy</html>' },
      { body: '' },
      { body: 'null' },
      adapter.success(''),
      adapter.success('  '),
      adapter.success(7),
      adapter.success(null),
      adapter.success('x'.repeat(100_000)),
    ]
    for (const answer of answers) {
      standIn().answer = answer
      expect(await ask(adapter.make(standIn().url))).toEqual({ kind: 'failed', reason: 'malformed' })
    }
  })

  it('an answer that does not come is given up when the budget is over', async () => {
    standIn().answer = { after: never }
    expect(await ask(adapter.make(standIn().url), 100)).toEqual({ kind: 'failed', reason: 'unreachable' })
  })

  it('a broken or failed connection is no translation', async () => {
    standIn().answer = { cut: true }
    expect(await ask(adapter.make(standIn().url))).toEqual({ kind: 'failed', reason: 'unreachable' })
    expect(await ask(adapter.make('http://127.0.0.1:9'))).toEqual({ kind: 'failed', reason: 'unreachable' })
  })
})

it('LibreTranslate gets no key when none is configured', async () => {
  standIn().answer = { body: { translatedText: 'x' } }
  await ask(createLibreTranslate({ url: `${standIn().url}/translate` }))
  expect(standIn().received[0]).toMatchObject({ url: '/translate', body: { q: label.text } })
  expect(standIn().received[0]?.body).not.toHaveProperty('api_key')
})
