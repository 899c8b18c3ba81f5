import { describe, expect, it, test } from 'vitest'
import {
  type CheckoutFacts,
  type CheckoutStep,
  type Collector,
  checkoutStep,
  releaseAt,
  returnTo,
  stripHash,
} from '../../src/domain/checkout.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { type OrderState, orderStates } from '../../src/domain/order.ts'
import { rowsOf } from '../support/tables.ts'

const opened = Date.parse('2026-02-01T09:00:00.000Z')
const minutes = (count: number): Date => new Date(opened + count * 60_000)

/** A session of minutes 0 to 30, confirmed at minute 10 or not at all. `until` is `release_at`, in minutes. */
const table = rowsOf(`
  # order              session  confirmed  collector  until   proven  active  at        step

  # nothing confirmed: the browser's own progress, until the session ends
  new                  open     no         -          -       no      no      0         identify
  new                  open     no         -          -       no      no      29.9999   identify
  new                  open     no         -          -       no      no      30        expired
  new                  open     no         -          -       yes     no      5         onboard
  new                  open     no         -          -       yes     no      30        expired
  new                  open     no         -          -       yes     yes     5         choose
  new                  open     no         -          -       yes     yes     29.9999   choose
  new                  open     no         -          -       yes     yes     30        expired
  new                  open     no         -          -       yes     yes     30.0001   expired

  # a provider collects: until the session ends
  new                  open     yes        provider   30      yes     yes     10        pay
  new                  open     yes        provider   30      yes     yes     29.9999   pay
  new                  open     yes        provider   30      yes     yes     30        expired
  new                  open     yes        provider   30      no      no      10        identify
  new                  open     yes        provider   30      no      no      30        expired

  # the merchant collects: seven days, whatever the session's own end
  new                  open     yes        merchant   10090   yes     yes     10        reserved
  new                  open     yes        merchant   10090   yes     yes     31        reserved
  new                  open     yes        merchant   10090   yes     yes     10089     reserved
  new                  open     yes        merchant   10090   no      no      31        identify
  new                  open     yes        merchant   10090   yes     yes     10090     expired

  # gone on without points: whoever has the link goes on with it
  new                  open     plain      provider   30      no      no      10        pay
  new                  open     plain      provider   30      yes     yes     10        pay
  new                  open     plain      provider   30      no      no      30        expired
  new                  open     plain      merchant   10090   no      no      31        reserved
  new                  open     plain      merchant   -       no      no      10091     expired
  approved             ended    plain      provider   -       no      no      40        finished

  # what was confirmed has been released
  new                  open     yes        merchant   -       yes     yes     10091     expired
  new                  open     yes        merchant   -       yes     yes     10        expired

  # somebody ended the session and left the order
  new                  ended    no         -          -       yes     yes     5         closed
  new                  ended    no         -          -       no      no      45        closed
  new                  ended    yes        provider   -       yes     yes     10        closed

  # the checkout led to it: whoever asks, and whenever
  approved             ended    yes        -          -       yes     yes     10        finished
  approved             ended    yes        provider   -       yes     yes     9000      finished
  approved             ended    yes        merchant   -       no      no      40        finished
  authorized           ended    yes        provider   -       no      no      40        finished
  captured             ended    yes        provider   -       yes     yes     40        finished
  partially_refunded   ended    yes        provider   -       yes     yes     40        finished
  fully_refunded       ended    yes        provider   -       yes     yes     40        finished

  # the merchant went on before the customer had confirmed
  approved             ended    no         -          -       yes     yes     5         closed
  authorized           ended    no         -          -       no      no      5         closed
  captured             ended    no         -          -       no      no      500       closed
  fully_refunded       ended    no         -          -       no      no      500       closed

  cancelled            ended    no         -          -       no      no      5         cancelled
  cancelled            ended    no         -          -       yes     yes     45        cancelled
  cancelled            ended    yes        provider   -       yes     yes     45        cancelled
  cancelled            ended    yes        merchant   -       no      no      45        cancelled
`)

function factsOf(row: readonly string[]): CheckoutFacts {
  const [order, session, confirmed, collector, until, proven, active] = row
  return {
    session_state: session as 'open' | 'ended',
    order_status: order as OrderState,
    expires_at: minutes(30),
    confirmed_at: confirmed === 'no' ? null : minutes(10),
    // Continued without points.
    continued_at: confirmed === 'plain' ? minutes(10) : null,
    release_at: until === '-' ? null : minutes(Number(until)),
    collector: collector === '-' ? null : (collector as Collector),
    proven: proven === 'yes',
    active: active === 'yes',
  }
}

describe('the step of a checkout', () => {
  it.each(table)('%s, session %s, confirmed %s (%s until %s), proven %s, active %s, at minute %s: %s', (...row) => {
    expect(checkoutStep(factsOf(row), minutes(Number(row[7])))).toBe(row[8])
  })

  it('is tested for every state of an order, and every step occurs', () => {
    const steps: CheckoutStep[] = ['identify', 'onboard', 'choose', 'pay', 'reserved', 'finished', 'cancelled']
    expect(new Set(table.map(([order]) => order))).toEqual(new Set(orderStates))
    expect(new Set(table.map((row) => row[8]))).toEqual(new Set([...steps, 'closed', 'expired']))
  })
})

describe('the hold of points lasts', () => {
  it('until the session expires if a provider collects, for seven days if the merchant does', () => {
    expect(releaseAt('provider', { expires_at: minutes(30) }, minutes(10))).toEqual(minutes(30))
    expect(releaseAt('merchant', { expires_at: minutes(30) }, minutes(10))).toEqual(minutes(10 + 7 * 24 * 60))
  })
})

const order = {
  order_uuid: '019c137b-fb40-7c3a-9d52-3f6b1a2c4d5e' as Uuid,
  order_number: '1001',
  order_status: 'approved',
  reference_number: 'VQ8K8ZPPCF',
} as const
const added =
  'order_uuid=019c137b-fb40-7c3a-9d52-3f6b1a2c4d5e&order_number=1001&order_status=approved&reference_number=VQ8K8ZPPCF'

describe('the return to the shop', () => {
  test.each([
    ['https://shop.example.com', `https://shop.example.com?${added}`],
    ['https://shop.example.com/', `https://shop.example.com/?${added}`],
    ['https://shop.example.com/done?', `https://shop.example.com/done?${added}`],
    ['https://shop.example.com/done?a=1', `https://shop.example.com/done?a=1&${added}`],
    ['https://shop.example.com/done?a=1&', `https://shop.example.com/done?a=1&${added}`],
    // Keeps the spelling of the URL.
    ['https://shop.example.com/a%20b?q=%D8%A8+x%20y&q=2', `https://shop.example.com/a%20b?q=%D8%A8+x%20y&q=2&${added}`],
    ['https://shop.example.com/#done', `https://shop.example.com/?${added}#done`],
    ['https://shop.example.com/?a=1#done?b=2', `https://shop.example.com/?a=1&${added}#done?b=2`],
    ['http://localhost:3000/x#', `http://localhost:3000/x?${added}#`],
    // Of two fields of one name, some shops would read the first, some the last, and some both.
    ['https://shop.example.com/?order_number=7&a=1&order%5Fstatus=new', `https://shop.example.com/?a=1&${added}`],
    ['https://shop.example.com/?order_uuid#order_uuid=1', `https://shop.example.com/?${added}#order_uuid=1`],
    [
      'https://shop.example.com/?my_order_uuid=1&order_number[]=2',
      `https://shop.example.com/?my_order_uuid=1&order_number[]=2&${added}`,
    ],
  ])('%s leads to %s', (callback_url, expected) => {
    expect(returnTo(callback_url, order)).toBe(expected)
    expect(URL.canParse(expected)).toBe(true)
  })

  it('encodes an order number, so that it cannot change the query', () => {
    const url = new URL(returnTo('https://shop.example.com/', { ...order, order_number: 'a&b=c#d طلب ١+%\ud800' }))
    expect(url.searchParams.get('order_number')).toBe('a&b=c#d طلب ١+%\ufffd')
    expect(url.searchParams.get('order_status')).toBe('approved')
    expect(url.hash).toBe('')
  })
})

test.each([
  ['#1001', '1001'],
  [' # 1001 ', '1001'],
  ['##1', '#1'],
  ['#', ''],
  ['1#', '1#'],
])('the order number %j is %j', (given, stripped) => {
  expect(stripHash(given)).toBe(stripped)
})
