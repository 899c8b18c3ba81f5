import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas, type Halalas } from '../../src/domain/money.ts'
import type {
  PaymentAccountChecked,
  PaymentDone,
  PaymentError,
  PaymentPage,
  PaymentProvider,
  PaymentRecord,
  PaymentRef,
  PaymentRequest,
  ProviderAccount,
} from '../../src/providers/payment/port.ts'

type Operation = 'create' | 'query' | 'capture' | 'void' | 'refund'

/** One payment in the books of a provider. */
interface Booked {
  readonly request: PaymentRequest
  state: PaymentRecord['state']
  amount_halalas: number
  refunded_halalas: number
  refund_uuids: Uuid[]
}

const unknown: PaymentError = { kind: 'unknown', detail: 'no answer' }

/**
 * A provider with books. Its answers can be lost `before` or `after` it has performed the request. Tests pay by `arrive`.
 */
export class BookedProvider implements PaymentProvider {
  readonly name = 'sandbox'
  readonly page_origins: readonly string[] = []
  readonly books = new Map<Uuid, Booked>()
  /** Every call, in the order in which it came: `create`, `query`, … */
  readonly calls: Operation[] = []
  /** The faults of the next calls, in order; `none` lets a call succeed. */
  readonly faults: Partial<Record<Operation, ('before' | 'after' | 'none' | PaymentError)[]>> = {}
  /** Answers nothing at all. */
  down = false
  /** Each call waits for this promise, so that a test can arrange a race. */
  meanwhile: (operation: Operation) => Promise<void> = async () => undefined
  /** The same after it has performed the request: the answer is still on its way. */
  onItsWay: (operation: Operation) => Promise<void> = async () => undefined

  /** None, as the sandbox's, unless one is given. */
  readonly account: ProviderAccount | undefined

  constructor(account?: ProviderAccount) {
    this.account = account
  }

  create(request: PaymentRequest): Promise<PaymentPage | PaymentError> {
    return this.#answer('create', () => {
      const { payment_uuid, amount_halalas } = request
      if (!this.books.has(payment_uuid))
        this.books.set(payment_uuid, {
          request,
          state: 'pending',
          amount_halalas,
          refunded_halalas: 0,
          refund_uuids: [],
        })
      const url = `https://pay.example.com/${payment_uuid}`
      return { kind: 'page', provider_reference: `ref-${payment_uuid}`, url }
    })
  }

  query({ payment_uuid }: PaymentRef): Promise<PaymentRecord | PaymentError> {
    return this.#answer('query', () => {
      const booked = this.books.get(payment_uuid)
      if (booked === undefined) return { kind: 'not_found', detail: 'not in the books' }
      return {
        kind: 'payment',
        provider_reference: `ref-${payment_uuid}`,
        state: booked.state,
        amount_halalas: asHalalas(booked.amount_halalas),
        refunded_halalas: asHalalas(booked.refunded_halalas),
        refund_uuids: booked.refund_uuids,
      }
    })
  }

  capture(asked: PaymentRef): Promise<PaymentDone | PaymentError> {
    return this.#change('capture', asked, ['authorized'], (booked) => {
      booked.state = 'paid'
    })
  }

  void(asked: PaymentRef): Promise<PaymentDone | PaymentError> {
    return this.#change('void', asked, ['pending', 'authorized'], (booked) => {
      booked.state = 'voided'
    })
  }

  refund(asked: PaymentRef & { refund_uuid: Uuid; amount_halalas: Halalas }): Promise<PaymentDone | PaymentError> {
    return this.#change('refund', asked, ['paid'], (booked) => {
      booked.refunded_halalas += asked.amount_halalas
      booked.refund_uuids.push(asked.refund_uuid)
    })
  }

  checkAccount(): Promise<PaymentAccountChecked> {
    return Promise.resolve(this.down ? unknown : { kind: 'accepted' })
  }

  isGenuine(): boolean {
    return false
  }

  /** A customer pays or fails to pay. `amount` is given when it differs from the requested amount. */
  arrive(payment_uuid: string, state: PaymentRecord['state'] = 'paid', amount?: number): void {
    const booked = this.books.get(payment_uuid as Uuid)
    if (booked === undefined) throw new Error('nobody can pay what the provider does not know')
    booked.state = state
    booked.amount_halalas = amount ?? booked.amount_halalas
  }

  /** All the money that the provider holds. */
  get kept_halalas(): number {
    const taken = [...this.books.values()].filter(({ state }) => state === 'paid' || state === 'authorized')
    return taken.reduce((sum, { amount_halalas, refunded_halalas }) => sum + amount_halalas - refunded_halalas, 0)
  }

  #change(
    operation: Operation,
    { payment_uuid }: PaymentRef,
    from: readonly PaymentRecord['state'][],
    change: (booked: Booked) => void,
  ): Promise<PaymentDone | PaymentError> {
    return this.#answer(operation, () => {
      const booked = this.books.get(payment_uuid)
      if (booked === undefined) return { kind: 'not_found', detail: 'not in the books' }
      if (!from.includes(booked.state)) return { kind: 'refused', detail: `it is ${booked.state}` }
      change(booked)
      return { kind: 'done', reference: null }
    })
  }

  async #answer<T>(operation: Operation, act: () => T): Promise<T | PaymentError> {
    this.calls.push(operation)
    await this.meanwhile(operation)
    const fault = this.faults[operation]?.shift() ?? 'none'
    if (this.down || fault === 'before') return unknown
    if (typeof fault === 'object') return fault
    const answer = act()
    await this.onItsWay(operation)
    return fault === 'after' ? unknown : answer
  }
}

/** The methods of a provider, for a test that replaces some of them. */
export function methodsOf(provider: BookedProvider): PaymentProvider {
  return {
    name: provider.name,
    page_origins: [],
    create: (asked) => provider.create(asked),
    query: (asked) => provider.query(asked),
    capture: (asked) => provider.capture(asked),
    void: (asked) => provider.void(asked),
    refund: (asked) => provider.refund(asked),
    checkAccount: () => provider.checkAccount(),
    isGenuine: () => false,
  }
}

/** The same provider, whose records show how much was refunded, but not by which ids: as Moyasar's. */
export function withoutNames(provider: BookedProvider): PaymentProvider {
  return {
    ...methodsOf(provider),
    async query(asked) {
      const record = await provider.query(asked)
      return record.kind === 'payment' ? { ...record, refund_uuids: undefined } : record
    },
  }
}
