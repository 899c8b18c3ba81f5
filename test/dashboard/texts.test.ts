import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../dashboard/src/api/failure.ts'
import { actionTexts } from '../../dashboard/src/pages/audit/actions.ts'
import { explainedError } from '../../dashboard/src/pages/delivery/error-texts.ts'
import { jobTexts } from '../../dashboard/src/pages/health/job-texts.ts'
import { problemTexts } from '../../dashboard/src/pages/order/problem-texts.ts'
import { inOrder } from '../../dashboard/src/parts/chart-figures.ts'
import { failureText, wholeFailureText } from '../../dashboard/src/parts/failure-text.ts'
import { readRiyadhField, riyadhField } from '../../dashboard/src/parts/riyadh-field.ts'
import { formatIn } from '../../dashboard/src/texts/format.ts'
import { joinAreas } from '../../dashboard/src/texts/join.ts'
import { translatorOf } from '../../dashboard/src/texts/translate.ts'
import { paymentStates } from '../../src/domain/payment.ts'
import { erasure_job } from '../../src/features/erasure/job.ts'
import { paymentProblems } from '../../src/features/orders/payment-queries.ts'
import { paymentProviders } from '../../src/providers/payment/port.ts'
import { readTree, root } from '../support/tree.ts'

type Entry = string | Readonly<Record<string, string>>

const files = (locale: string) =>
  readTree(`dashboard/src/texts/${locale}/**/*.json`).map(({ path, text }) => ({ path, texts: JSON.parse(text) }))
const catalogueOf = (locale: string) =>
  joinAreas(Object.fromEntries(files(locale).map(({ path, texts }) => [path, texts])))
const catalogues = { en: catalogueOf('en'), ar: catalogueOf('ar') }

const forms = (entry: Entry): string[] => (typeof entry === 'string' ? [entry] : Object.values(entry))
const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()
/** All names of all forms: Arabic says one and two without their number. */
const names = (entry: Entry): string[] => [...new Set(forms(entry).flatMap(placeholders))].sort()

describe('the texts of the dashboard', () => {
  it('are the same keys in both languages', () => {
    expect(catalogues.en.size).toBeGreaterThan(100)
    expect([...catalogues.ar.keys()].sort()).toEqual([...catalogues.en.keys()].sort())
  })

  it('name the same values in both languages, and none is empty', () => {
    for (const [key, entry] of catalogues.en) {
      const arabic = catalogues.ar.get(key) ?? ''
      expect([key, names(arabic)]).toEqual([key, names(entry)])
      for (const text of [...forms(entry), ...forms(arabic)]) expect([key, text.trim()]).not.toEqual([key, ''])
    }
  })

  it('keep the order of numbers that hyphens join in Arabic, where such a number turns round after a letter', () => {
    const turned = /[\u0621-\u064a][^A-Za-z\u200e]*\d-\d/
    for (const [key, entry] of catalogues.ar)
      for (const text of forms(entry)) expect([key, text]).not.toEqual([key, expect.stringMatching(turned)])
  })

  it('call in Arabic nothing cash but cash: most money comes from cards', () => {
    const cash = [...catalogues.ar].filter(([, entry]) => forms(entry).some((text) => /نقد[ًاي]/.test(text)))
    expect(cash.map(([key]) => key)).toEqual(['order.method_9'])
  })

  it('have one word in Arabic for points that are redeemed, on all pages', () => {
    const others = /المستخدمة|صُرفت|صرفها|صرفه|استخدام (كل |جزء من )?(ال)?نقاط/
    const pages = readTree('src/pages/texts/ar/*.json').map(({ path, text }) => [path, text] as const)
    const all = [...pages, ...[...catalogues.ar].map(([key, entry]) => [key, forms(entry).join()] as const)]
    expect(all.filter(([, text]) => others.test(text)).map(([where]) => where)).toEqual([])
  })

  it('have every plural form of their language', () => {
    for (const locale of ['en', 'ar'] as const) {
      const needed = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted()
      for (const [key, entry] of catalogues[locale])
        if (typeof entry !== 'string') expect([key, Object.keys(entry).sort()]).toEqual([key, needed])
    }
  })

  it('are all used, computed ones included', () => {
    const code = readTree('dashboard/src/**/*.{ts,tsx}').filter(({ path }) => !path.endsWith('.d.ts'))
    const used = new Set(
      code.flatMap(({ text }) => [...text.matchAll(/['"`]([a-z-]+\.[a-z0-9_]+)['"`]/g)].map(([, key = '']) => key)),
    )
    // A key with a part that is computed, such as `frame.role_${role}`.
    const computed = code
      .flatMap(({ text }) => [...text.matchAll(/`([a-z-]+\.)([a-z0-9_]*)\$\{[^}]*\}([a-z0-9_]*)`/g)])
      .map(([, area = '', start = '', end = '']) => new RegExp(`^${area.replace('.', '\\.')}${start}[a-z0-9_]+${end}$`))
    const isUsed = (key: string) => used.has(key) || computed.some((pattern) => pattern.test(key))
    expect([...catalogues.en.keys()].filter((key) => !isUsed(key))).toEqual([])
  })

  it('name every background job of the service', () => {
    const named = readTree('src/**/*.ts').flatMap(({ text }) => [...text.matchAll(/jobs\??\.of\('([^']+)'\)/g)])
    const jobs = [...named.map(([, name = '']) => name), erasure_job]
    expect(jobs.toSorted()).toEqual(Object.keys(jobTexts).toSorted())
  })

  it('name everything that the audit log records', () => {
    const audit = readFileSync(`${root}src/domain/audit.ts`, 'utf8')
    const [, actions = ''] = /type AuditAction =([\s\S]*?)\n\n/.exec(audit) ?? []
    const recorded = [...actions.matchAll(/\| '([^']+)'/g)].map(([, name = '']) => name)
    expect(recorded.toSorted()).toEqual(Object.keys(actionTexts).toSorted())
  })

  it('name every state, provider and problem of a payment', () => {
    const known = (key: string) => catalogues.en.has(key)
    const states = paymentStates.map((state) => `order.payment_${state}`).filter((key) => !known(key))
    // An authorized payment has the word of an authorized order.
    expect(states).toEqual(['order.payment_authorized'])
    expect(paymentProviders.filter((name) => !known(`settings.provider_${name}`))).toEqual([])
    expect(Object.keys(problemTexts).toSorted()).toEqual([...new Set(paymentProblems)].toSorted())
  })

  it('say in both languages what the service says of connections that failed', () => {
    const post = readFileSync(`${root}src/net/post.ts`, 'utf8')
    const [, sentences = ''] = /const sentences[^{]*\{([\s\S]*?)\n\}/.exec(post) ?? []
    const codes = [...sentences.matchAll(/^ {2}(\w+):/gm)].map(([, code = '']) => code)
    expect(codes.length).toBeGreaterThan(5)
    expect(codes.filter((code) => explainedError(code) === undefined)).toEqual([])
  })

  it('belong to an area that the types know', () => {
    const types = readFileSync(`${root}dashboard/src/texts/catalogue.ts`, 'utf8')
    for (const { path } of files('en')) expect(types).toContain(`'.${path.replace('dashboard/src/texts', '')}'`)
  })
})

describe('a text', () => {
  it('takes its values, and its form from the count', () => {
    const [en, ar] = [translatorOf('en', catalogues.en), translatorOf('ar', catalogues.ar)]
    expect(en('account.sessions_ended', { count: 1 })).toBe('1 session has ended.')
    expect(en('account.sessions_ended', { count: 1_200 })).toBe('1,200 sessions have ended.')
    expect([0, 1, 2, 3, 11, 100].map((count) => ar('account.sessions_ended', { count }))).toEqual([
      'لم تنتهِ أي جلسة.',
      'انتهت جلسة واحدة.',
      'انتهت جلستان.',
      'انتهت 3 جلسات.',
      'انتهت 11 جلسة.',
      'انتهت 100 جلسة.',
    ])
  })
})

describe('formats', () => {
  it('write Western digits in both languages', () => {
    const at = '2026-11-22T10:05:09.123Z'
    for (const locale of ['en', 'ar'] as const) {
      const format = formatIn(locale)
      expect([format.number(-12_345), format.sar(12.5), format.percent(0.123)]).toEqual(['−12,345', '12.50', '12.3%'])
      for (const text of [format.date(at), format.moment(at), format.exact(at), format.day(at)])
        expect(text).not.toMatch(/[\u0660-\u0669\u06f0-\u06f9]/)
      expect(format.exact(at)).toContain('09.123')
    }
  })

  // A hundred full wallets come to that: the pages told other last digits than the files.
  it('mark a sum whose last digits a browser does not know', () => {
    const { number, sar } = formatIn('en')
    const answer = JSON.parse('[9007199254740991, 9999999999999993, -9999999999999993]') as number[]
    expect(answer.map(number)).toEqual(['9,007,199,254,740,991', '≈9,999,999,999,999,992', '≈−9,999,999,999,999,992'])
    expect([70_368_744_177_663.99, 90_071_992_547_409.91].map(sar)).toEqual([
      '70,368,744,177,663.99',
      '≈90,071,992,547,409.90',
    ])
  })

  it('write times and days of Riyadh, wherever the reader is', () => {
    const late = '2026-11-25T22:30:00Z'
    const [en, ar] = [formatIn('en'), formatIn('ar')]
    expect([en.moment(late), en.date(late), en.day(late)]).toEqual(['26 Nov 2026, 01:30', '26 Nov 2026', '26 Nov'])
    expect([ar.date(late), ar.day(late)]).toEqual(['26 نوفمبر 2026', '26 نوفمبر'])
    expect(en.exact(late)).toContain('Arabian Standard Time')
    expect(riyadhField(new Date(late))).toBe('2026-11-26T01:30')
    expect(readRiyadhField('2026-11-26T01:30')).toEqual(new Date(late))
  })

  it('name the units of axes in the language of the page, in its order', () => {
    const [en, ar] = [formatIn('en'), formatIn('ar')]
    expect([1_500, 2_000_000].map(en.short)).toEqual(['1.5K', '2M'])
    expect([1_500, -2_000_000].map(ar.short)).toEqual(['1.5\u00a0ألف', '−2\u00a0مليون'])
    // A canvas runs from left to right: what is isolated keeps the order of Arabic.
    expect(inOrder('rtl', ar.day('2026-10-28'))).toBe('\u206728 أكتوبر\u2069')
    expect(inOrder('ltr', en.day('2026-10-28'))).toBe('28 Oct')
  })

  it('say how long ago something was', () => {
    const now = new Date('2026-11-22T10:00:00Z')
    expect(formatIn('en').ago('2026-11-22T09:55:00Z', now)).toBe('5 minutes ago')
    expect(formatIn('en').ago('2026-11-21T10:00:00Z', now)).toBe('yesterday')
    // What rounds up to a whole unit was told in the one below: 60 minutes ago.
    expect(formatIn('en').ago('2026-11-22T09:00:20Z', now)).toBe('1 hour ago')
    expect(formatIn('ar').ago('2026-11-22T09:00:20Z', now)).toBe('قبل ساعة واحدة')
    expect(formatIn('en').ago('2026-11-22T09:59:00.400Z', now)).toBe('1 minute ago')
    expect(formatIn('en').ago('2026-11-21T10:10:00Z', now)).toBe('yesterday')
  })
})

it('a failure outside a form names the rule of each field', () => {
  const t = translatorOf('en', catalogues.en as never)
  const message = 'The given data was invalid.'
  const errors = { request_id: ['The request id must be a whole uuid.'] }
  const failure = new ApiFailure({ status: 422, message, errors, appended: {}, request_id: null })
  expect(failureText(failure, t)).toBe(message)
  expect(wholeFailureText(failure, t)).toBe(`${message} ${errors.request_id[0]}`)
})
