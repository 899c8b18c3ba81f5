import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Day } from '../../src/domain/day.ts'
import { DomainError } from '../../src/domain/failures.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import { asHalalas } from '../../src/domain/money.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { day_s } from '../../src/domain/spans.ts'
import { instantsOf, lastMonth, readPeriod, thisMonth, thisYear } from '../../src/pages/wallet/period.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { titleOf, wordsOf } from '../support/shopper.ts'
import { walletStage } from '../support/wallet-stage.ts'
import { ledgerOf, liveWithPoints } from '../support/wallets.ts'

// The statement: opening balance, movements and closing balance, which add up, whatever has happened.

const database = testDatabase({ leaves: ['open holds'] })
const stage = walletStage(database)
const phone = freshPhone()

beforeAll(async () => {
  const { app, clock, cafe, books } = stage
  await liveWithPoints(app.services, { phone, name: 'نورة القحطاني', clock, stores: [cafe, books] })
})

async function customerIdOf(of: Phone): Promise<Uuid> {
  const { customer_id } = await stage.app.services.findCustomerOf(stage.program_id, of)
  if (customer_id === null) throw new Error('nobody has this phone')
  return customer_id
}

/** The statement's table as it is read: each row's cells. */
function statementRows(text: string): string[][] {
  const [, table = ''] = /<table>([\s\S]*?)<\/table>/.exec(text) ?? []
  return [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)]
    .slice(1)
    .map(([, row = '']) =>
      [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => wordsOf({ text: `<body>${cell}` }).trim()),
    )
}

describe('the page', () => {
  it('shows a period, both days included: first balance, movements, last balance', async () => {
    const page = await (await stage.signedIn(phone)).open('/wallet/statement?from=2026-10-11&to=2026-10-25')
    expect([page.status, titleOf(page)]).toEqual([200, 'Statement of points · Points wallet'])
    expect(statementRows(page.text)).toEqual([
      ['11 October 2026', 'Balance at the start', '', '2,894'],
      ['11 October 2026', 'Used at مكتبة الحكمة Order INV-2261', '−1,200', '1,694'],
      ['11 October 2026', 'For what you paid at مكتبة الحكمة Order INV-2261', '+1,140', '2,834'],
      ['16 October 2026', 'Taken back: refund at مكتبة الحكمة Order INV-2207 نسخة تالفة', '−500', '2,334'],
      ['16 October 2026', 'Returned: refund at مكتبة الحكمة Order INV-2261 Returned by the customer', '+600', '2,934'],
      [
        '16 October 2026',
        'Taken back: refund at مكتبة الحكمة Order INV-2261 Returned by the customer',
        '−570',
        '2,364',
      ],
      ['25 October 2026', 'Reserved for your order at Corner Café Order 1038', '−500', '1,864'],
      ['25 October 2026', 'No longer reserved for your order at Corner Café Order 1038', '+500', '2,364'],
      ['25 October 2026', 'Balance at the end', '', '2,364'],
    ])
    const words = wordsOf(page)
    expect(words).toContain(
      'Balance at the start 2,894 Points added +2,240 Points deducted −2,770 Balance at the end 2,364',
    )
    expect(words).toContain(`Name نورة القحطاني Mobile number 05•• ••• ${phone.slice(-3)} Programme نقاط الحي`)
    expect(words).toMatch(/Period 11 October 2026 – 25 October 2026 Made on 5 November 2026/)
  })

  it('covers this month by default, and never future days', async () => {
    const me = await stage.signedIn(phone, 'ar')
    const month = await me.open('/wallet/statement')
    expect(statementRows(month.text).map(([date]) => date)).toEqual([
      '1 نوفمبر 2026',
      '1 نوفمبر 2026',
      '1 نوفمبر 2026',
      '5 نوفمبر 2026',
      '5 نوفمبر 2026',
    ])
    expect(month.text).toMatch(/aria-current="true">هذا الشهر</)
    const later = await me.open('/wallet/statement?from=2026-11-01&to=2027-12-31')
    expect(statementRows(later.text)).toEqual(statementRows(month.text))
  })

  it('says that nothing moved in a period without movements', async () => {
    const page = await (await stage.signedIn(phone)).open('/wallet/statement?from=2026-10-17&to=2026-10-20')
    expect(statementRows(page.text)).toEqual([
      ['17 October 2026', 'Balance at the start', '', '2,364'],
      ['20 October 2026', 'Balance at the end', '', '2,364'],
    ])
  })

  it.each([
    'from=2026-10-20&to=2026-10-10',
    'from=2026-02-30',
    'from=2026-13-01',
    'to=yesterday',
    'from=99999-01-01',
    'from=2027-01-01',
    'from=<b>',
    'from=0000-00-00',
  ])('asks for other days where there are none: %s', async (query) => {
    const page = await (await stage.signedIn(phone)).open(`/wallet/statement?${query}`)
    expect([page.status, titleOf(page)]).toEqual([422, 'Error: Statement of points · Points wallet'])
    expect(wordsOf(page)).toContain('Choose two days, the first not after the second.')
  })

  it('is shown only after signing in; others are asked for their number', async () => {
    const page = await stage.visitor().open('/wallet/statement?from=2026-10-01&to=2026-10-31')
    expect([page.path, page.text.includes('name="phone"')]).toEqual(['/wallet', true])
  })
})

describe('a period', () => {
  const now = new Date('2026-03-31T22:30:00Z') // the 1st of April in Riyadh

  it('counts days in Riyadh', () => {
    expect(thisMonth(now)).toEqual({ from: '2026-04-01', to: '2026-04-01' })
    expect(lastMonth(now)).toEqual({ from: '2026-03-01', to: '2026-03-31' })
    expect(lastMonth(new Date('2026-01-15T00:00:00Z'))).toEqual({ from: '2025-12-01', to: '2025-12-31' })
    expect(thisYear(now)).toEqual({ from: '2026-01-01', to: '2026-04-01' })
    const day = '2026-02-28' as Day
    expect(instantsOf({ from: day, to: day })).toEqual({
      from: new Date('2026-02-27T21:00:00Z'),
      to: new Date('2026-02-28T21:00:00Z'),
    })
  })

  it('accepts any digits', () => {
    expect(readPeriod({ from: '٢٠٢٦-٠٣-٠١', to: ' 2026-03-31 ' }, now)).toEqual({
      from: '2026-03-01',
      to: '2026-03-31',
    })
    expect(readPeriod({}, now)).toEqual(thisMonth(now))
  })

  it('is of any year to which a sandbox can move its clock', () => {
    const leap = { from: '2400-02-29', to: '2400-02-29' }
    expect(readPeriod(leap, new Date('2400-03-01T00:00:00Z'))).toEqual(leap)
    expect(readPeriod({ ...leap, to: '2400-02-30' }, new Date('2400-03-01T00:00:00Z'))).toBeNull()
  })
})

const whats = ['buy', 'rate', 'reserve', 'complete', 'cancel', 'refund', 'refund all'] as const

/** Random actions of customers and stores. If the rules refuse one, nothing happens, and time goes on. */
interface Deed {
  readonly what: (typeof whats)[number]
  readonly who: number
  readonly amount: number
  readonly pick: number
  readonly days: number
}

const deed: fc.Arbitrary<Deed> = fc.record({
  what: fc.constantFrom(...whats),
  who: fc.integer({ min: 0, max: 2 }),
  amount: fc.integer({ min: 1, max: 30_000 }),
  pick: fc.nat(),
  days: fc.constantFrom(0, 0, 1, 3),
})

describe('every statement', () => {
  it('adds up to the ledger: its movements are the ledger’s, its periods follow one another without a gap', async () => {
    const deeds = fc.sample(deed, { numRuns: 140, seed: 20_261_122 })
    const begun = stage.clock.now()
    const phones = [freshPhone(), freshPhone(), freshPhone()]
    await live(deeds, phones)
    const kinds: string[] = []
    for (const each of phones) kinds.push(...(await compare(each, begun)))
    expect(kinds.length).toBeGreaterThan(60)
    expect([...new Set(kinds)].sort()).toEqual(['earn', 'hold', 'release', 'return', 'reverse'])
  })
})

interface Placed {
  readonly merchant: Merchant
  readonly order_uuid: Uuid
}

async function live(deeds: readonly Deed[], phones: readonly Phone[]): Promise<void> {
  const { services } = stage.app
  const lives = phones.map((each) => ({ customer: stage.customer(each), paid: [] as Placed[], open: [] as Placed[] }))
  for (const { what, who, amount, pick, days } of deeds) {
    stage.clock.advance(days * day_s + 60)
    const merchant = pick % 2 === 0 ? stage.cafe : stage.books
    const life = lives[who]
    if (life === undefined) throw new Error('there are three customers')
    const { customer, paid, open } = life
    // Two points buy a halala: an odd one is not taken.
    const points = 2 * Math.ceil(Math.min(amount, 500) / 2)
    const end = async (action: 'complete' | 'cancel'): Promise<void> => {
      const placed = open.shift()
      if (placed === undefined) return
      await services.moveOrder(placed.merchant, placed.order_uuid, { action })
      if (action === 'complete') paid.push(placed)
    }
    const refund = async (halalas: number | null): Promise<void> => {
      const placed = paid[pick % Math.max(paid.length, 1)]
      if (placed === undefined) return
      const amount_halalas = halalas === null ? null : asHalalas(halalas)
      await services.refundOrder(placed.merchant, placed.order_uuid, { amount_halalas, reason: null })
    }
    const acts: Readonly<Record<Deed['what'], () => Promise<unknown>>> = {
      buy: async () => paid.push({ merchant, order_uuid: await customer.buy(merchant, amount) }),
      rate: () => customer.rate(merchant, pick % 3 === 0 ? null : 'Tea'),
      reserve: async () =>
        open.push({ merchant, order_uuid: await customer.reserve(merchant, { total: amount + points, points }) }),
      complete: () => end('complete'),
      cancel: () => end('cancel'),
      refund: () => refund((amount % 200) + 1),
      'refund all': () => refund(null),
    }
    await acts[what]().catch(passOver)
  }
}

/** Ignores refusals by the rules, which change nothing. Rethrows any other error. */
function passOver(error: unknown): void {
  if (error instanceof DomainError || (error instanceof Error && /instead of a hold$/.test(error.message))) return
  throw error
}

/** Compares the statements of all weeks since `begun` with the ledger; gives the kinds of their movements. */
async function compare(of: Phone, begun: Date): Promise<string[]> {
  const { services } = stage.app
  const customer_id = await customerIdOf(of)
  const ledger = await ledgerOf(database.owner, stage.program_id, of)
  const seen: (readonly [number, number])[] = []
  const kinds: string[] = []
  let balance = 0
  const end = stage.clock.now().getTime() + 1
  for (let at = begun.getTime(); at < end; at += 7 * day_s * 1_000) {
    const time = { from: new Date(at), to: new Date(Math.min(at + 7 * day_s * 1_000, end)) }
    const statement = await services.readStatement(stage.program_id, customer_id, time)
    if (statement === null) throw new Error('a week has too many movements')
    expect(statement.opening).toBe(balance)
    for (const movement of statement.movements) {
      balance += movement.points
      expect(movement.balance_after).toBe(balance)
      expect(movement.at >= time.from && movement.at < time.to).toBe(true)
      seen.push([movement.version, movement.points])
      kinds.push(movement.kind)
    }
    expect(statement.closing).toBe(balance)
  }
  expect(seen).toEqual(ledger)
  expect((await services.readWallet(stage.program_id, customer_id))?.available).toBe(balance)
  return kinds
}
