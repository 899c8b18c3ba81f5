import type { Uuid } from '../../domain/ids.ts'
import {
  captureSandbox,
  refundSandbox,
  type SandboxChange,
  type SandboxPayment,
  sandboxPaymentAt,
  voidSandbox,
} from '../../domain/sandbox-payment.ts'
import type {
  PaymentAsked,
  PaymentDone,
  PaymentError,
  PaymentProvider,
  PaymentRecord,
  PaymentRequest,
  RefundRequest,
} from './port.ts'

/** Where the sandbox's provider keeps its books, and what time it is there. */
export interface SandboxBooks {
  now(): Date
  /** Writes a payment that is not there yet. */
  open(request: PaymentRequest): Promise<void>
  find(asked: PaymentAsked): Promise<SandboxPayment | null>
  /** The names of its refunds. */
  refundsOf(asked: PaymentAsked): Promise<readonly Uuid[]>
  /** Changes a payment as `decide` says, while nobody else does; gives whether it did, null where there is none. */
  change(asked: PaymentAsked, decide: (payment: SandboxPayment) => SandboxChange): Promise<boolean | null>
  /** The same, and writes a refund with it; one that is there already is as good as done. */
  refund(request: RefundRequest, decide: (payment: SandboxPayment) => SandboxChange): Promise<boolean | null>
}

const done: PaymentDone = { kind: 'done', reference: null }
const missing: PaymentError = { kind: 'not_found', detail: 'the sandbox knows no such payment' }

/** The provider of a sandbox: it takes no money, asks for no card, and has books of its own, read through this port alone. */
export function createSandboxPayments(books: SandboxBooks, public_url: string): PaymentProvider {
  /** What is asked for happens to the payment as it is now: a slow one may have been paid, another may have vanished. */
  const asItIs = (decide: (payment: SandboxPayment) => SandboxChange) => (payment: SandboxPayment) => {
    const now = sandboxPaymentAt(payment, books.now())
    if (now === null) return null
    const change = decide(now)
    return change === null ? null : { state: now.state, settles_at: now.settles_at, ...change }
  }
  const answer = (changed: boolean | null): PaymentDone | PaymentError => {
    if (changed === null) return missing
    return changed ? done : { kind: 'refused', detail: 'the payment’s state, or the amount, does not allow it' }
  }
  const isThere = async (asked: PaymentAsked) => {
    const payment = await books.find(asked)
    return payment !== null && sandboxPaymentAt(payment, books.now()) !== null
  }
  const change = async (asked: PaymentAsked, decide: (payment: SandboxPayment) => SandboxChange) =>
    answer((await isThere(asked)) ? await books.change(asked, asItIs(decide)) : null)
  return {
    name: 'sandbox',
    page_origins: [],
    async create(request) {
      await books.open(request)
      const { program_id, payment_uuid } = request
      return {
        kind: 'page',
        provider_reference: payment_uuid,
        url: `${public_url}${sandboxPagePath(program_id, payment_uuid)}`,
      }
    },
    capture: (asked) => change(asked, (payment) => captureSandbox(payment, asked.amount_halalas)),
    void: (asked) => change(asked, voidSandbox),
    async refund(asked) {
      if (!(await isThere(asked))) return missing
      return answer(
        await books.refund(
          asked,
          asItIs((payment) => refundSandbox(payment, asked.amount_halalas)),
        ),
      )
    },
    async query(asked) {
      const written = await books.find(asked)
      const payment = written && sandboxPaymentAt(written, books.now())
      return payment === null ? missing : recordOf(asked, payment, await books.refundsOf(asked))
    },
    // It reports in the process, when its page has been used.
    isGenuine: () => false,
  }
}

/** Where its payment page is. */
function sandboxPagePath(program_id: number, payment_uuid: Uuid): string {
  return `/sandbox/pay/${program_id}/${payment_uuid}`
}

function recordOf(
  { payment_uuid }: PaymentAsked,
  payment: SandboxPayment,
  refund_uuids: readonly Uuid[],
): PaymentRecord {
  const { state, card, amount_halalas, refunded_halalas } = payment
  const failure = card === 'cancel' ? 'cancelled' : card === null ? 'page_expired' : 'declined'
  return {
    kind: 'payment',
    provider_reference: payment_uuid,
    state: state === 'challenge' ? 'pending' : state,
    ...(state === 'failed' ? { failure } : {}),
    ...{ amount_halalas, refunded_halalas, refund_uuids },
  }
}
