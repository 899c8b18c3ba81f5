import { describe, expect, it } from 'vitest'
import type { Day } from '../../src/domain/day.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { asPoints, DEFAULT_POINTS_PER_SAR, DEFAULT_SAR_PER_POINT } from '../../src/domain/points.ts'
import type { CheckoutView, PaymentView } from '../../src/features/checkout/view.ts'
import { screenOf } from '../../src/pages/checkout/flow.ts'
import { readTable } from '../support/tables.ts'

// The step chooses the screen; the query only chooses within the step.

const uuid = '019c137b-fb40-7000-8000-000000000001' as Uuid
const phone = '555123987' as Phone
const noon = new Date('2026-02-01T09:00:00Z')

const payment: PaymentView = {
  payment_uuid: uuid,
  state: 'created',
  amount_halalas: asHalalas(10_000),
  page_url: 'https://pay.example',
  error: null,
  paid_with: null,
}

const payments: Readonly<Record<string, PaymentView | null>> = {
  '': null,
  none: null,
  'no page': { ...payment, page_url: null },
  created: payment,
  failed: { ...payment, state: 'failed', error: 'declined' },
  surplus: { ...payment, state: 'surplus', error: 'amount' },
}

const view: CheckoutView = {
  step: 'identify',
  asked_locale: null,
  may_continue: true,
  payments_over: false,
  continued: false,
  program_id: 1,
  session_uuid: uuid,
  order_uuid: uuid,
  merchant: {
    program: {
      program_id: 1,
      account_id: uuid,
      activation: 'automatic',
      rates: [{ begins_on: '2026-01-01' as Day, micro_sar_per_point: DEFAULT_SAR_PER_POINT }],
      locale: 'ar',
    },
    program_id: 1,
    merchant_id: 7,
    account_id: uuid,
    name: 'Shop',
    verified: true,
    published: true,
    flows: { earning: true, product_rating: true, store_rating: true, checkout: true },
    points_per_sar_e4: DEFAULT_POINTS_PER_SAR,
    product_rating_points: asPoints(50),
    store_rating_points: asPoints(100),
    refund_window_days: 30,
    integration_active: true,
    payment_provider: 'sandbox',
    payment_flow: 'sale',
    colour: null,
    logo_digest: null,
    wide_logo_digest: null,
    name_ar: null,
    payment_methods: [],
  },
  locale: 'ar',
  operator: { name: null, contact: null },
  order_number: '1001',
  reference_number: 'VQ8K8ZPPCF',
  order_status: 'new',
  total_halalas: asHalalas(10_000),
  items: null,
  more_items: 0,
  shipping_halalas: null,
  tax_halalas: null,
  discount_halalas: null,
  paid_at: null,
  given_phone: null,
  given_name: null,
  callback_url: null,
  return_to: null,
  expires_at: noon,
  held_until: null,
  proven_phone: phone,
  proven_by: 'code',
  remembered: null,
  customer: {
    customer_id: uuid,
    name: null,
    available: asPoints(3000),
    held: asPoints(0),
    consented: true,
    blocked: false,
  },
  micro_sar_per_point: DEFAULT_SAR_PER_POINT,
  terms_version: '2026-11',
  remembered_limit: asPoints(1000),
  points_used: asPoints(0),
  redeemed_halalas: asHalalas(0),
  due_halalas: asHalalas(10_000),
  earned_points: asPoints(0),
  payment: null,
  going_back: [],
}

const sent = { phone, tries_left: 5, expires_at: noon, resend_at: noon, shown_code: null }

const rows = readTable(`
  step      | query                     | given | code | payment | screen
  identify  |                           | no    | no   |         | number
  identify  |                           | yes   | no   |         | number given
  identify  | at=number                 | yes   | no   |         | number
  identify  |                           | yes   | yes  |         | code
  identify  | at=number                 | yes   | yes  |         | number
  identify  | use=all                   | no    | yes  |         | code
  onboard   | use=all                   | no    | no   |         | onboard
  choose    |                           | no    | no   |         | choose
  choose    | note=changed              | no    | no   |         | choose
  choose    | use=all                   | no    | no   |         | choose
  choose    | use=none&amount=x         | no    | no   |         | choose
  choose    | use=part&amount=3000      | no    | no   |         | choose
  choose    | use=part&amount=3001      | no    | no   |         | choose too_many
  choose    | use=part&unit=sar&amount=15    | no | no |         | choose
  choose    | use=part&unit=sar&amount=15.01 | no | no |         | choose too_many
  choose    | use=part&unit=sar&amount=x     | no | no |         | choose not_amount
  choose    | use=part                  | no    | no   |         | choose not_whole
  choose    | use=part&amount=x         | no    | no   |         | choose not_whole
  choose    | use=part&amount=1         | no    | no   |         | choose too_few
  choose    | use=x                     | no    | no   |         | choose missing
  choose    | at=done                   | no    | no   |         | choose
  pay       |                           | no    | no   | none    | pay
  pay       |                           | no    | no   | created | pay
  pay       | at=waiting                | no    | no   | created | waiting
  pay       | at=waiting                | no    | no   | no page | pay
  pay       | at=waiting                | no    | no   | failed  | failed
  pay       |                           | no    | no   | failed  | failed
  pay       |                           | no    | no   | surplus | failed
  pay       | use=all                   | no    | no   | created | pay
  reserved  | use=all                   | no    | no   |         | reserved
  finished  | at=waiting                | no    | no   |         | finished
  expired   | use=all                   | no    | yes  | created | expired
  closed    | at=number                 | no    | no   |         | closed
  cancelled | at=waiting                | no    | no   | created | cancelled
`)

describe('the screen of a checkout', () => {
  it.each(rows)(
    'for step $step, query "$query", given number $given, code $code, payment $payment is $screen',
    (row) => {
      const shown = screenOf(
        {
          ...view,
          step: row['step'] as CheckoutView['step'],
          given_phone: row['given'] === 'yes' ? phone : null,
          payment: payments[row['payment'] ?? ''] ?? null,
        },
        Object.fromEntries(new URLSearchParams(row['query'])),
        row['code'] === 'yes' ? sent : null,
      )
      const more =
        shown.name === 'number' && shown.given
          ? ' given'
          : shown.name === 'choose' && shown.errors.length > 0
            ? ` ${shown.errors.join(' ')}`
            : ''
      expect(shown.name + more).toBe(row['screen'])
    },
  )
})
