import type { Uuid } from '../../domain/ids.ts'
import {
  captureSandbox,
  refundSandbox,
  type SandboxChange,
  type SandboxPayment,
  sandboxPaymentAt,
  schemeOf,
  voidSandbox,
} from '../../domain/sandbox-payment.ts'
import type {
  PaymentDone,
  PaymentError,
  PaymentProvider,
  PaymentRecord,
  PaymentRef,
  PaymentRequest,
  RefundRequest,
} from './port.ts'

/** The payments of the sandbox's provider, and its clock. */
export interface SandboxPaymentStore {
  now(): Date
  /** Stores a payment, unless it is there already. */
  create(request: PaymentRequest): Promise<void>
  find(ref: PaymentRef): Promise<SandboxPayment | null>
  /** The uuids of its refunds. */
  refundsOf(ref: PaymentRef): Promise<readonly Uuid[]>
  /** Changes a payment as `decide` says, under a lock. Gives whether it changed, or null when there is no payment. */
  change(ref: PaymentRef, decide: (payment: SandboxPayment) => SandboxChange): Promise<boolean | null>
  /** The same, and stores a refund with it. Gives true when the refund is there already. */
  refund(request: RefundRequest, decide: (payment: SandboxPayment) => SandboxChange): Promise<boolean | null>
}

const done: PaymentDone = { kind: 'done', reference: null }
const missing: PaymentError = { kind: 'not_found', detail: 'the sandbox knows no such payment' }

/** The provider of a sandbox. It takes no money and asks for no card. */
export function createSandboxPayments(store: SandboxPaymentStore, public_url: string): PaymentProvider {
  /** Applies `decide` to the payment as it is now: by now a slow one may be paid, another may be gone. */
  const onCurrent = (decide: (payment: SandboxPayment) => SandboxChange) => (payment: SandboxPayment) => {
    const now = sandboxPaymentAt(payment, store.now())
    if (now === null) return null
    const change = decide(now)
    return change === null ? null : { state: now.state, settles_at: now.settles_at, ...change }
  }
  const answer = (changed: boolean | null): PaymentDone | PaymentError => {
    if (changed === null) return missing
    return changed ? done : { kind: 'refused', detail: 'the payment’s state, or the amount, does not allow it' }
  }
  const isThere = async (ref: PaymentRef) => {
    const payment = await store.find(ref)
    return payment !== null && sandboxPaymentAt(payment, store.now()) !== null
  }
  const change = async (ref: PaymentRef, decide: (payment: SandboxPayment) => SandboxChange) =>
    answer((await isThere(ref)) ? await store.change(ref, onCurrent(decide)) : null)
  return {
    name: 'sandbox',
    page_origins: [],
    async create(request) {
      await store.create(request)
      const { program_id, payment_uuid, locale } = request
      return {
        kind: 'page',
        provider_reference: payment_uuid,
        url: `${public_url}${sandboxPagePath(program_id, payment_uuid)}?begins=${locale}`,
      }
    },
    capture: (request) => change(request, (payment) => captureSandbox(payment, request.amount_halalas)),
    void: (ref) => change(ref, voidSandbox),
    async refund(request) {
      if (!(await isThere(request))) return missing
      return answer(
        await store.refund(
          request,
          onCurrent((payment) => refundSandbox(payment, request.amount_halalas)),
        ),
      )
    },
    async query(ref) {
      const stored = await store.find(ref)
      const payment = stored && sandboxPaymentAt(stored, store.now())
      return payment === null ? missing : recordOf(ref, payment, await store.refundsOf(ref))
    },
    checkAccount: () => Promise.resolve({ kind: 'nobody_to_ask' }),
    // Its page reports inside this process, not by a request.
    isGenuine: () => false,
  }
}

function sandboxPagePath(program_id: number, payment_uuid: Uuid): string {
  return `/sandbox/pay/${program_id}/${payment_uuid}`
}

function recordOf({ payment_uuid }: PaymentRef, payment: SandboxPayment, refund_uuids: readonly Uuid[]): PaymentRecord {
  const { state, card, amount_halalas, refunded_halalas } = payment
  const failure = card === 'cancel' ? 'cancelled' : card === null ? 'page_expired' : 'declined'
  return {
    kind: 'payment',
    provider_reference: payment_uuid,
    state: state === 'challenge' ? 'pending' : state,
    ...(state === 'failed' ? { failure } : {}),
    ...{ amount_halalas, refunded_halalas, refund_uuids, paid_with: schemeOf(payment) },
  }
}
