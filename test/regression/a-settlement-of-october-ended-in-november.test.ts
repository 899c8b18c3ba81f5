import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { periodText } from '../../dashboard/src/parts/whole-days.ts'
import { formatIn } from '../../dashboard/src/texts/format.ts'
import { joinAreas } from '../../dashboard/src/texts/join.ts'
import { translatorOf } from '../../dashboard/src/texts/translate.ts'
import type { Locale } from '../../src/domain/locale.ts'
import { root } from '../support/tree.ts'

// The end of a period is not part of it, and was shown as it is stored: October was settled "until 1 Nov 2026, 00:00".

const periodIn = (locale: Locale, from: string | null, until: string): string => {
  const path = `dashboard/src/texts/${locale}/settlements.json`
  const texts = joinAreas({ [path]: JSON.parse(readFileSync(`${root}/${path}`, 'utf8')) })
  return periodText({ t: translatorOf(locale, texts), format: formatIn(locale) }, from, until)
}

const october = '2026-09-30T21:00:00.000Z'
const november = '2026-10-31T21:00:00.000Z'
const afternoon = '2026-11-15T11:05:00.000Z'

it.each([
  [october, november, '1 – 31 Oct 2026', '1–31 أكتوبر 2026'],
  [null, november, 'Up to 31 Oct 2026', 'حتى 31 أكتوبر 2026'],
  [november, afternoon, '1 Nov 2026 – 15 Nov 2026, 14:05', '1 نوفمبر 2026 – 15 نوفمبر 2026 في 2:05 م'],
  [
    '2026-09-15T11:05:00.000Z',
    november,
    '15 Sept 2026, 14:05 – 31 Oct 2026',
    '15 سبتمبر 2026 في 2:05 م – 31 أكتوبر 2026',
  ],
])('the period from %s to %s names its last day', (from, until, english, arabic) => {
  const plain = (text: string) => text.replaceAll(/[\u2009\u202f\u00a0]/g, ' ')
  expect([plain(periodIn('en', from, until)), plain(periodIn('ar', from, until))]).toEqual([english, arabic])
})
