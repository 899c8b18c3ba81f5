import { describe, expect, it } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import { type Judgement, judgePayment, type ProviderAnswer, reverses } from '../../src/domain/payment-result.ts'
import { rowsOf } from '../support/tables.ts'

/**
 * A payment of 100 SAR. `paid/90` is a record of 90 SAR; `-40` has 40 SAR refunded; `refunds` are those that we
 * requested.
 */
const table = rowsOf(`
  # answer       refunds  capture  account  judgement
  paid           0        -        same     right
  paid           0        due      same     right
  paid-40        40       -        same     right
  paid           40       -        same     right
  paid-40        0        -        same     refunded_elsewhere
  paid-100       40       -        same     refunded_elsewhere
  paid/90        0        -        same     amount_differs
  paid/110       0        -        same     amount_differs
  pending        0        -        same     not_paid
  failed         0        -        same     not_paid
  voided         0        -        same     not_paid
  authorized     0        -        same     not_paid
  authorized     0        due      same     capture_due
  voided         0        due      same     capture_due
  not_found      0        -        same     missing
  not_found      0        due      same     missing
  not_found      0        -        changed  account_changed
  paid           0        -        changed  right
  failed         0        -        changed  not_paid
  unknown        0        -        same     not_answered
  credentials    0        -        same     not_answered
  refused        0        -        same     not_answered
  declined       0        -        same     not_answered
  unsupported    0        -        same     not_answered
`)

const states = ['paid', 'pending', 'failed', 'voided', 'authorized']

function answerOf(text: string): ProviderAnswer {
  const [, said = '', amount = '100', refunded = '0'] = /^([a-z_]+)(?:\/(\d+))?(?:-(\d+))?$/.exec(text) ?? []
  if (!states.includes(said)) return { kind: said } as ProviderAnswer
  const amounts = {
    amount_halalas: asHalalas(Number(amount) * 100),
    refunded_halalas: asHalalas(Number(refunded) * 100),
  }
  return { kind: 'payment', state: said, ...amounts } as ProviderAnswer
}

describe('the judgement of a payment', () => {
  it.each(table)(
    '%s, with %s SAR refunded by us, capture %s, account %s: %s',
    (answer = '', refunds, capture, account, judgement) => {
      const payment = {
        amount_halalas: asHalalas(10_000),
        refunds_halalas: asHalalas(Number(refunds) * 100),
        capture_due: capture === 'due',
        account_changed: account === 'changed',
      }
      expect(judgePayment(payment, answerOf(answer))).toBe(judgement)
    },
  )

  it('reverses an order only if the record is missing or not paid', () => {
    const judgements = [...new Set(table.map((row) => row.at(-1) as Judgement))]
    expect(judgements.length).toBe(8)
    expect(judgements.filter(reverses).sort()).toEqual(['missing', 'not_paid'])
  })
})
