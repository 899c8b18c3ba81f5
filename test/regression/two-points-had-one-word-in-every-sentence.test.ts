import { expect, it } from 'vitest'
import { translatorOf } from '../../dashboard/src/texts/translate.ts'
import { asPoints } from '../../src/domain/points.ts'
import { points } from '../../src/pages/design/format.ts'
import { interpolate } from '../../src/pages/design/interpolate.ts'
import { catalogue } from '../../src/pages/texts/catalogue.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { wordsOf } from '../support/shopper.ts'
import { readTree } from '../support/tree.ts'

// Arabic has a dual, whose word depends on its place, and which verbs and adjectives follow. "From two points" was said in the
// nominative, at the default rate to everybody with one point; "reserved" and "not enough" were singular beside two.

const database = testDatabase()
const stage = checkoutStage(database)

const textOf = (html: { readonly text: string }) => html.text.replace(/<[^>]*>/g, '')

it.each([
  [-2, '−2 نقطة', '−2 نقطة'],
  [-1, '−1 نقطة', '−1 نقطة'],
  [0, '0 نقطة', '0 نقطة'],
  [1, 'نقطة واحدة', 'نقطة واحدة'],
  [2, 'نقطتان', 'نقطتين'],
  [3, '3 نقاط', '3 نقاط'],
  [11, '11 نقطة', '11 نقطة'],
  [1_000, '1,000 نقطة', '1,000 نقطة'],
])('%d points are said in Arabic by their place in the sentence', (count, subject, object) => {
  expect(textOf(points(asPoints(count), 'ar'))).toBe(subject)
  expect(textOf(points(asPoints(count), 'ar', 'object'))).toBe(object)
})

it('a customer with one point learns from how many they count', async () => {
  const { page } = await stage.choosing(1, {}, 'ar')
  expect(wordsOf(page)).toContain('يمكنك استبدالها ابتداءً من نقطتين.')
})

it('a customer who would earn two points reads the right words', async () => {
  const { page } = await stage.choosing(100, { total_price: 0.2 }, 'ar')
  expect(wordsOf(page)).toContain('وتكسب نقطتين')
})

it('a field for a few points names its bounds with the word that follows the last of them', async () => {
  const { page } = await stage.choosing(6, {}, 'ar')
  expect(wordsOf(page)).toContain('من 2 إلى 6 نقاط. كل 100 نقطة')
})

it.each([
  [catalogue.checkout.choose.kept, 'تبقى في محفظتك نقطتان، وهو عدد لا يكفي لخصم إضافي.'],
  [catalogue.checkout.result.reserved, 'حُجزت لهذا الطلب نقطتان'],
  [catalogue.identity.onboarding.waiting, 'يصل إلى محفظتك فور انضمامك: نقطتان.'],
  [catalogue.wallet.wallet.joined_with, 'ووصلها ما كان بانتظارك: نقطتان.'],
  [catalogue.wallet.wallet.held, 'المحجوز: نقطتان'],
])('no word has to agree with two points: %j', (text, said) => {
  const two = points(asPoints(2), 'ar')
  const parts = { points: two, kept: two, value: '', due: '', store: '' }
  expect(textOf(interpolate(text, 'ar', parts))).toContain(said)
})

it.each([
  [1, 'يمكن سحب ما لا يزيد على نقطة واحدة'],
  [2, 'يمكن سحب ما لا يزيد على نقطتين'],
  [7, 'يمكن سحب ما لا يزيد على 7 نقاط'],
  [1_200, 'يمكن سحب ما لا يزيد على 1,200 نقطة'],
])('staff may take %d points, as the dashboard says', (count, said) => {
  const [customers] = readTree('dashboard/src/texts/ar/customers.json').map(({ text }) => JSON.parse(text))
  const t = translatorOf('ar', new Map([['customers.adjust_most', customers.adjust_most]]))
  expect(t('customers.adjust_most', { count })).toContain(said)
})
