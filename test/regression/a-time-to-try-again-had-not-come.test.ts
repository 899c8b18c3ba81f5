import { expect, it } from 'vitest'
import type { Locale } from '../../src/domain/locale.ts'
import { parsePhone } from '../../src/domain/phone.ts'
import type { Html } from '../../src/pages/design/html.ts'
import { codeStep, renderNote } from '../../src/pages/identity/code.ts'

// "You can ask for a new code from 12:17" was cut to its minute: at 12:17:40 the page still refused until 12:17:51.

const phone = parsePhone('0512345678')
if (phone === null) throw new Error('not a phone')

const wordsOf = (page: Html | undefined | null) => (page?.text ?? '').replace(/<[^>]*>/g, '')

const step = (resend_at: Date, locale: Locale) =>
  codeStep({
    ...{ locale, phone, resend_at, action: '/', csrf: '', shown_code: null, change_href: '/', state: 'open' },
    now: new Date('2026-11-30T09:17:21Z'),
  })

it.each([
  ['2026-11-30T09:17:51.001Z', '12:18'],
  ['2026-11-30T09:18:00.000Z', '12:18'],
  ['2026-11-30T09:59:30.000Z', '13:00'],
])('what can be done from %s is promised from %s', (instant, shown) => {
  const at = new Date(instant)
  expect(wordsOf(step(at, 'en'))).toContain(`You can ask for a new code from ${shown}.`)
  expect(wordsOf(renderNote({ kind: 'too_many_codes', retry_at: at }, 'en').message)).toContain(`from ${shown}.`)
  expect(wordsOf(renderNote({ kind: 'too_many_tries', retry_at: at }, 'en').message)).toContain(`from ${shown}.`)
})

it('says so in Arabic too', () => {
  expect(wordsOf(step(new Date('2026-11-30T09:17:51Z'), 'ar'))).toContain('12:18 م')
})
