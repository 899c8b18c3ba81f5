import { describe, expect, it } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import type { OrderState } from '../../src/domain/order.ts'
import type { PaymentState, ProviderRecord } from '../../src/domain/payment.ts'
import { type AwaitedPayment, type AwaitingOrder, decidePaymentResult } from '../../src/domain/payment-result.ts'
import { rowsOf } from '../support/tables.ts'

/**
 * A payment of 100 SAR for an order with 100 SAR to pay. `paid/150` is a record of 150 SAR; `-40` has 40 SAR refunded.
 */
const table = rowsOf(`
  # payment   kind  record      order       waits  to pay  held   becomes

  # what was asked for comes to an order that waits for it
  created     sale  paid        new         yes    100     yes    paid by pay
  created     auth  authorized  new         yes    100     yes    authorized by authorize
  created     auth  paid        new         yes    100     yes    paid by pay

  # nothing has come, or nothing more will
  created     sale  pending     new         yes    100     yes    nothing
  created     auth  pending     new         yes    100     yes    nothing
  created     sale  failed      new         yes    100     yes    failed
  created     sale  voided      new         yes    100     yes    failed
  created     sale  paid-100    new         yes    100     yes    failed
  created     sale  authorized  new         yes    100     yes    nothing
  failed      sale  failed      new         yes    100     yes    nothing
  failed      sale  voided      new         yes    100     yes    nothing
  failed      sale  pending     new         yes    100     yes    nothing
  failed      sale  paid-100    new         yes    100     yes    nothing

  # other money than was asked for is not payment of this order
  created     sale  paid/99     new         yes    100     yes    99 back, amount
  created     sale  paid/101    new         yes    100     yes    101 back, amount
  created     auth  authorized/1  new        yes    100     yes    1 back, amount
  created     sale  paid-40     new         yes    100     yes    60 back, amount
  created     sale  paid/140-40  new         yes    100     yes    100 back, amount
  failed      sale  paid/99     new         yes    100     yes    99 back, amount

  # the order cannot take it
  created     sale  paid        new         no     100     yes    100 back, late
  created     sale  paid        new         yes    80      yes    100 back, late
  created     sale  paid        new         yes    100     no     100 back, late
  created     sale  paid        cancelled   no     100     yes    100 back, late
  created     sale  paid        approved    no     100     yes    100 back, late
  created     sale  paid        authorized  no     100     yes    100 back, late
  created     sale  paid        captured    no     100     yes    100 back, late
  created     sale  paid        fully_refunded     no  100  yes   100 back, late
  created     sale  paid        partially_refunded  no  100  yes   100 back, late
  created     auth  authorized  cancelled   no     100     yes    100 back, late
  created     sale  authorized  cancelled   no     100     yes    100 back, late

  # a payment that has failed is never taken, though the order waits for another
  failed      sale  paid        new         yes    100     yes    100 back, late
  failed      auth  authorized  new         yes    100     yes    100 back, late

  # asked again: nothing changes
  paid        sale  paid        approved    no     100     yes    nothing
  paid        sale  failed      approved    no     100     yes    nothing
  authorized  auth  authorized  authorized  no     100     yes    nothing
  authorized  auth  paid        captured    no     100     yes    nothing
  voided      auth  voided      cancelled   no     100     yes    nothing
  surplus     sale  paid        cancelled   no     100     yes    nothing
  returned    sale  paid-100    cancelled   no     100     yes    nothing
  returned    sale  paid        new         yes    100     yes    nothing
`)

function recordOf(text: string): ProviderRecord {
  const [, state, amount = '100', refunded = '0'] = /^([a-z]+)(?:\/(\d+))?(?:-(\d+))?$/.exec(text) ?? []
  return {
    state: state as ProviderRecord['state'],
    amount_halalas: asHalalas(Number(amount) * 100),
    refunded_halalas: asHalalas(Number(refunded) * 100),
    refund_uuids: undefined,
  }
}

describe('the result of a payment', () => {
  it.each(table)('payment %s (%s), record %s, order %s waiting %s for %s, points held %s: %s', (...row) => {
    const [state, kind, record = '', order_status, waits, to_pay, held, expected] = row
    const payment = { state, kind, amount_halalas: asHalalas(10_000) } as AwaitedPayment
    const order: AwaitingOrder = {
      order_status: order_status as OrderState,
      awaits_provider: waits === 'yes',
      due_halalas: asHalalas(Number(to_pay) * 100),
      points_held: held === 'yes',
    }
    const decided = decidePaymentResult(payment, recordOf(record), order)
    const words =
      decided.kind === 'taken'
        ? `${decided.state} by ${decided.action}`
        : decided.kind === 'surplus'
          ? `${decided.amount_halalas / 100} back, ${decided.why}`
          : decided.kind
    expect(words).toBe(expected)
  })

  it('is tested for every state of a payment', () => {
    const states: Record<PaymentState, true> = {
      created: true,
      authorized: true,
      paid: true,
      voided: true,
      failed: true,
      surplus: true,
      returned: true,
    }
    expect([...new Set(table.map(([state]) => state))].sort()).toEqual(Object.keys(states).sort())
  })
})
