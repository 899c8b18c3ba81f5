import type { Uuid } from '../../domain/ids.ts'
import { asHalalas, type Halalas, NO_MONEY, parseSar } from '../../domain/money.ts'
import { methodNamed, type PaymentMethod } from '../../domain/payment-method.ts'
import { valueAt } from '../exchange.ts'
import { textField } from './http.ts'
import type { PaymentRecord } from './port.ts'

/** A transaction of PayTabs: a sale, an authorisation, or a capture, void, release or refund of one. */
export interface Transaction {
  readonly tran_ref: string
  readonly previous: string | undefined
  readonly type: string
  /**
   * A approved, H on hold, P pending, V voided, E error, D declined, X expired, C cancelled; undefined until the page
   * is used.
   */
  readonly status: string | undefined
  readonly currency: string
  readonly cart_id: string
  readonly amount_halalas: Halalas
  readonly description: string
  readonly paid_with: PaymentMethod | undefined
}

/** Reads a transaction; undefined when the value is none. Amounts are texts in SAR. */
export function readTransaction(value: unknown): Transaction | undefined {
  const tran_ref = textField(value, 'tran_ref')
  const amount = amountOf(valueAt(value, 'cart_amount'))
  if (tran_ref === undefined || amount === null) return undefined
  return {
    tran_ref,
    previous: textField(value, 'previous_tran_ref'),
    type: (textField(value, 'tran_type') ?? '').toLowerCase(),
    status: textField(valueAt(value, 'payment_result'), 'response_status'),
    currency: textField(value, 'cart_currency') ?? '',
    cart_id: textField(value, 'cart_id') ?? '',
    amount_halalas: amount,
    description: textField(value, 'cart_description') ?? '',
    paid_with: methodOf(valueAt(value, 'payment_info')),
  }
}

/** The wallet or card that PayTabs names, else the card's scheme. */
function methodOf(info: unknown): PaymentMethod | undefined {
  const [method = '', scheme = ''] = [textField(info, 'payment_method'), textField(info, 'card_scheme')]
  return methodNamed(method) ?? methodNamed(scheme)
}

function amountOf(value: unknown): Halalas | null {
  const sar = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof sar !== 'number') return null
  const amount = parseSar(sar)
  return amount === null ? null : asHalalas(Math.abs(amount))
}

/** The description by which a refund is found among the transactions of its payment. */
export function refundDescription(refund_uuid: Uuid): string {
  return `Refund ${refund_uuid}`
}

const refundPattern = /^Refund ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const failed = ['D', 'E', 'X', 'C']
const failures: Readonly<Record<string, PaymentRecord['failure']>> = {
  D: 'declined',
  X: 'page_expired',
  C: 'cancelled',
}
const followUps = ['capture', 'void', 'release', 'refund']

/** The payment that the transactions of a cart add up to; undefined when none of them is a payment. */
export function readRecord(transactions: readonly Transaction[]): PaymentRecord | undefined {
  const main = mainTransaction(transactions)
  if (main === undefined) return undefined
  const followed = (type: string, statuses: readonly string[] = ['A']) =>
    transactions.filter((one) => one.type === type && statuses.includes(one.status ?? ''))
  // A pending refund has been accepted. A second request would refund twice.
  const refunds = followed('refund', ['A', 'P'])
  const captures = followed('capture')
  const captured = sumOf(captures)
  const released = [...followed('void'), ...followed('release')].length > 0
  const state = stateOf(main, { captured, released })
  const failure = state === 'failed' ? failures[main.status ?? ''] : undefined
  return {
    kind: 'payment',
    provider_reference: main.tran_ref,
    state,
    ...(failure === undefined ? {} : { failure }),
    amount_halalas: captured > 0 ? captured : main.amount_halalas,
    refunded_halalas: sumOf(refunds),
    paid_with: main.paid_with,
    refund_uuids: refunds.flatMap(({ description }) => {
      const uuid = refundPattern.exec(description)?.[1]
      return uuid === undefined ? [] : [uuid as Uuid]
    }),
  }
}

/** The attempt that counts: a cart may have been declined before it was paid. */
function mainTransaction(transactions: readonly Transaction[]): Transaction | undefined {
  const attempts = transactions.filter(({ type }) => !followUps.includes(type))
  const rank = ({ status }: Transaction) => ['A', 'H', 'P', undefined, 'V'].indexOf(status)
  const known = attempts.filter((one) => rank(one) >= 0).sort((left, right) => rank(left) - rank(right))
  return known[0] ?? attempts[0]
}

function stateOf(
  { type, status }: Transaction,
  { captured, released }: { readonly captured: Halalas; readonly released: boolean },
): PaymentRecord['state'] {
  if (captured > 0) return 'paid'
  if (released || status === 'V') return 'voided'
  if (status === 'A') return type === 'auth' ? 'authorized' : 'paid'
  // On hold, pending, unused, or an undocumented status: not decided yet.
  return failed.includes(status ?? '') ? 'failed' : 'pending'
}

function sumOf(transactions: readonly Transaction[]): Halalas {
  return asHalalas(transactions.reduce<number>((sum, one) => sum + one.amount_halalas, NO_MONEY))
}

/** The transaction to refund: the sale, or the capture of an authorisation. */
export function refundable(transactions: readonly Transaction[]): string | undefined {
  return (
    transactions.find(({ type, status }) => type === 'capture' && status === 'A')?.tran_ref ??
    mainTransaction(transactions)?.tran_ref
  )
}
