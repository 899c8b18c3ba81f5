import { createHmac } from 'node:crypto'
import { type Received, type Scripted, type StandIn, startStandIn } from './stand-in.ts'

// A local server that follows PayTabs' public documentation (docs/payments.md). It keeps money in halalas.

const duplicate_ms = 120_000

interface Row {
  readonly tran_ref: string
  readonly previous_tran_ref?: string
  readonly tran_type: string
  readonly cart_id: string
  readonly cart_description: string
  readonly cart_currency: string
  readonly amount: number
  readonly at_ms: number
  status?: string
}

const error = (code: number, message: string, status = 200): Scripted => ({
  status,
  body: { code, message, trace: 'PMNT0101.00000000.00000000' },
})

const card = {
  payment_method: 'Visa',
  card_type: 'Credit',
  card_scheme: 'Visa',
  payment_description: '4111 11## #### 1111',
  expiryMonth: 12,
  expiryYear: 2030,
}

/** The transactions of a profile, the newest first, and the API for them. */
class Books {
  readonly rows: Row[] = []
  readonly #profile_id: number
  readonly #url: string
  now_ms = 0

  constructor(profile_id: number, url: string) {
    this.#profile_id = profile_id
    this.#url = url
  }

  show(row: Row): object {
    const { amount, at_ms: _, status, ...rest } = row
    const total = (amount / 100).toFixed(2)
    const result = { response_status: status, response_code: 'G73380', response_message: 'Authorised' }
    return {
      ...{ ...rest, cart_amount: total, tran_total: total, profileId: this.#profile_id },
      ...(status === undefined ? {} : { payment_result: result, payment_info: card }),
    }
  }

  query({ tran_ref, cart_id }: Record<string, unknown>): Scripted {
    if (cart_id !== undefined && tran_ref !== undefined) return error(207, 'Only one of tran_ref and cart_id', 400)
    if (cart_id !== undefined) {
      const cart = this.rows.filter((row) => row.cart_id === cart_id)
      return { body: cart.slice(0, 20).map((row) => this.show(row)) }
    }
    const row = this.rows.find((one) => one.tran_ref === tran_ref)
    return row === undefined ? error(113, 'Transaction not found') : { body: this.show(row) }
  }

  request(asked: Record<string, unknown>): Scripted {
    const { tran_type, cart_id, cart_description, cart_currency, cart_amount, tran_ref } = asked
    const complete = [tran_type, cart_id, cart_description, cart_currency].every((one) => typeof one === 'string')
    if (!complete || typeof cart_amount !== 'number' || String(cart_id).length > 64)
      return error(207, 'Invalid request: a required field is missing', 400)
    if ([...String(cart_description)].length > 128 || !String(cart_description).isWellFormed())
      return error(207, 'Invalid request: the description', 400)
    const fields = {
      ...{ tran_type: String(tran_type), cart_id: String(cart_id), amount: Math.round(cart_amount * 100) },
      ...{ cart_description: String(cart_description), cart_currency: String(cart_currency) },
    }
    if (this.#isRepeated(fields)) return error(4, 'Duplicate Request')
    if (tran_type === 'sale' || tran_type === 'auth') {
      const row = this.#add({ ...fields, tran_type: tran_type === 'sale' ? 'Sale' : 'Auth' })
      return { body: { ...this.show(row), tran_total: '0', redirect_url: `${this.#url}/payment/wr/${row.tran_ref}` } }
    }
    const before = this.rows.find((row) => row.tran_ref === tran_ref)
    if (before === undefined) return error(113, 'Transaction not found')
    const followed = { ...fields, ...this.#followUp(before, fields), previous_tran_ref: before.tran_ref }
    return { body: this.show(this.#add(followed)) }
  }

  #isRepeated({ cart_id, amount, tran_type }: { cart_id: string; amount: number; tran_type: string }): boolean {
    const same = (row: Row) =>
      row.cart_id === cart_id && row.amount === amount && row.tran_type.toLowerCase() === tran_type
    return this.rows.some((row) => same(row) && this.now_ms - row.at_ms < duplicate_ms)
  }

  #add(fields: Omit<Row, 'tran_ref' | 'at_ms'>): Row {
    const row = { ...fields, tran_ref: `TST${2_436_000_000 + this.rows.length}`, at_ms: this.now_ms }
    this.rows.unshift(row)
    return row
  }

  /** A follow-up is a transaction of its own: approved, or refused in a normal answer. */
  #followUp(before: Row, { tran_type, amount }: { tran_type: string; amount: number }) {
    const after = (type: string) =>
      this.rows.filter(
        (row) => row.previous_tran_ref === before.tran_ref && row.tran_type === type && row.status === 'A',
      )
    const sum = (type: string) => after(type).reduce((total, row) => total + row.amount, 0)
    const approved = before.status === 'A'
    const isOpenAuth = before.tran_type === 'Auth' && approved && after('Void').length === 0
    const allowed =
      (tran_type === 'capture' && isOpenAuth && sum('Capture') === 0 && amount <= before.amount) ||
      (tran_type === 'void' && isOpenAuth && sum('Capture') === 0) ||
      (tran_type === 'refund' && approved && before.tran_type !== 'Auth' && sum('Refund') + amount <= before.amount)
    return { tran_type: `${tran_type.charAt(0).toUpperCase()}${tran_type.slice(1)}`, status: allowed ? 'A' : 'E' }
  }
}

export interface PayTabsStandIn extends StandIn {
  readonly rows: Row[]
  /** Advances the stand-in's own clock. */
  pass(ms: number): void
  /**
   * The customer's action on the page of a cart: A pays, D is declined, H is put on hold, C cancels, X lets it expire.
   */
  act(cart_id: string, status: string): void
  /** The report of the newest transaction of a cart. */
  report(cart_id: string, key?: string): { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> }
}

export async function startPayTabs(profile_id: number, server_key: string): Promise<PayTabsStandIn> {
  const standIn = await startStandIn()
  const books = new Books(profile_id, standIn.url)
  standIn.answer = ({ method, url, headers, body }: Received): Scripted => {
    const asked = body as Record<string, unknown>
    if (headers.authorization !== server_key || asked['profile_id'] !== profile_id)
      return error(1, 'Authentication failed. Check authentication header.', 401)
    if (method !== 'POST') return error(207, 'Method not allowed', 405)
    return url === '/payment/request' ? books.request(asked) : books.query(asked)
  }
  return Object.assign(standIn, {
    rows: books.rows,
    pass(ms: number) {
      books.now_ms += ms
    },
    act(cart_id: string, status: string) {
      const page = books.rows.find((row) => row.cart_id === cart_id && row.previous_tran_ref === undefined)
      if (page === undefined) throw new Error('no such page')
      page.status = status
    },
    report(cart_id: string, key = server_key) {
      const row = books.rows.find((one) => one.cart_id === cart_id)
      const body = Buffer.from(JSON.stringify({ ...(row && books.show(row)), ipn_trace: 'IPNS0201.6A87FF12.000069D2' }))
      return { body, headers: { signature: createHmac('sha256', key).update(body).digest('hex') } }
    },
  })
}
