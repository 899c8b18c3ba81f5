import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import type { PaymentMethod } from '../../src/domain/payment-method.ts'
import { newUuid } from '../../src/lib/ids.ts'
import type { PaymentError, PaymentProvider, PaymentRecord, PaymentRequest } from '../../src/providers/payment/port.ts'
import { never, type Scripted, type StandIn } from './stand-in.ts'

// The guarantees that the service needs from every provider.

export interface PaymentBench {
  readonly provider: PaymentProvider
  /** The customer's action on the payment page. */
  readonly act: (payment_uuid: Uuid, what: 'pay' | 'decline') => Promise<void> | void
  readonly takes_auth: boolean
  /** The card that `pay` uses. */
  readonly paid_with: PaymentMethod
  /** Whether two requests with the same refund uuid are one refund. */
  readonly identifies_refunds: boolean
  /** Whether the customer may try again on the same page after a decline. */
  readonly allows_retry: boolean
  /** Undefined for a provider without a network. */
  readonly wire: Wire | undefined
  readonly close: () => Promise<void> | void
}

export interface Wire {
  readonly standIn: StandIn
  readonly secrets: readonly string[]
  /** The same provider with a short time-out, and with wrong credentials. */
  readonly impatient: PaymentProvider
  readonly foreign: PaymentProvider
}

const program_id = 1
const total = asHalalas(12_305)

type Ready = () => PaymentBench

export function paymentConformance(name: string, start: () => Promise<PaymentBench>): void {
  describe(`${name}, as a payment provider`, () => {
    let bench: PaymentBench | undefined
    const ready: Ready = () => {
      if (bench === undefined) throw new Error('the bench is started before the tests')
      return bench
    }
    beforeAll(async () => {
      bench = await start()
    })
    afterAll(() => bench?.close())
    describe('a payment page', () => pages(ready))
    describe('a refund', () => refunds(ready))
    describe('an authorisation', () => authorisations(ready))
    describe('an error', () => errors(ready))
    describe('an account', () => accounts(ready))
  })
}

const at = (payment_uuid: Uuid, provider_reference: string | null = null) => ({
  program_id,
  payment_uuid,
  provider_reference,
})

function requestOf(payment_uuid: Uuid, changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    ...{ program_id, payment_uuid, amount_halalas: total, description: 'Order 17 at Corner Café', kind: 'sale' },
    locale: 'ar',
    return_url: 'https://shop.example/checkout/t/return',
    callback_url: `https://shop.example/payments/x/1/${payment_uuid}/callback`,
    ...changes,
  }
}

async function begun({ provider }: PaymentBench, changes: Partial<PaymentRequest> = {}) {
  const payment_uuid = newUuid()
  const page = await provider.create(requestOf(payment_uuid, changes))
  if (page.kind !== 'page') throw new Error(`no page: ${JSON.stringify(page)}`)
  return { payment_uuid, page }
}

async function recordOf({ provider }: PaymentBench, payment_uuid: Uuid): Promise<PaymentRecord> {
  const record = await provider.query(at(payment_uuid))
  if (record.kind !== 'payment') throw new Error(`no record: ${JSON.stringify(record)}`)
  return record
}

async function paid(bench: PaymentBench): Promise<Uuid> {
  const { payment_uuid } = await begun(bench)
  await bench.act(payment_uuid, 'pay')
  return payment_uuid
}

function pages(ready: Ready): void {
  it('has a URL and a reference, and nothing is paid yet', async () => {
    const bench = ready()
    const { payment_uuid, page } = await begun(bench)
    expect(URL.canParse(page.url)).toBe(true)
    if (bench.wire !== undefined) expect(bench.provider.page_origins).toContain(new URL(page.url).origin)
    expect(await recordOf(bench, payment_uuid)).toMatchObject({
      state: 'pending',
      provider_reference: page.provider_reference,
    })
  })

  it('leads to a payment of the whole amount, found by our uuid and by the reference', async () => {
    const bench = ready()
    const { payment_uuid, page } = await begun(bench)
    await bench.act(payment_uuid, 'pay')
    const expected = {
      ...{ kind: 'payment', state: 'paid', amount_halalas: total, refunded_halalas: 0 },
      provider_reference: page.provider_reference,
      paid_with: bench.paid_with,
    }
    expect(await bench.provider.query(at(payment_uuid))).toMatchObject(expected)
    expect(await bench.provider.query(at(payment_uuid, page.provider_reference))).toMatchObject(expected)
  })

  // A name of a store and an order number have up to 255 characters each.
  it.each(['ن', '🎁', 'a🎁'])('is accepted with a description of any length, also of many times %s', async (text) => {
    const { payment_uuid } = await begun(ready(), { description: text.repeat(513) })
    expect(await recordOf(ready(), payment_uuid)).toMatchObject({ state: 'pending' })
  })

  it('leads to no payment when the bank declines', async () => {
    const bench = ready()
    const { payment_uuid } = await begun(bench)
    await bench.act(payment_uuid, 'decline')
    const state = bench.allows_retry ? 'pending' : 'failed'
    expect(await recordOf(bench, payment_uuid)).toMatchObject({ state })
    if (!bench.allows_retry) return
    await bench.act(payment_uuid, 'pay')
    expect(await recordOf(bench, payment_uuid)).toMatchObject({ state: 'paid' })
  })

  it('can be cancelled before it is used, if the provider supports it; a paid one cannot', async () => {
    const bench = ready()
    const { payment_uuid } = await begun(bench)
    const ended = await bench.provider.void(at(payment_uuid))
    expect(['done', 'unsupported']).toContain(ended.kind)
    const { state } = await recordOf(bench, payment_uuid)
    expect(ended.kind === 'done' ? ['failed', 'voided'] : ['pending']).toContain(state)
    const other = await paid(bench)
    expect(['refused', 'unsupported']).toContain((await bench.provider.void(at(other))).kind)
    expect(await recordOf(bench, other)).toMatchObject({ state: 'paid' })
  })

  it('does not exist for a payment that was never created', async () => {
    const { provider } = ready()
    const asked = at(newUuid())
    const amount_halalas = asHalalas(100)
    expect(await provider.query(asked)).toMatchObject({ kind: 'not_found' })
    expect(await provider.void(asked)).toMatchObject({ kind: 'not_found' })
    const refund = { ...asked, refund_uuid: newUuid(), amount_halalas, reason: null }
    expect(await provider.refund(refund)).toMatchObject({ kind: 'not_found' })
  })
}

function refunds(ready: Ready): void {
  const giveBack = ({ provider }: PaymentBench, payment_uuid: Uuid, amount: number, refund_uuid = newUuid()) =>
    provider.refund({ ...at(payment_uuid), refund_uuid, amount_halalas: asHalalas(amount), reason: 'Broken' })

  it('may be partial, and never exceeds the payment', async () => {
    const bench = ready()
    const payment_uuid = await paid(bench)
    expect(await giveBack(bench, payment_uuid, 2_305)).toMatchObject({ kind: 'done' })
    expect(await recordOf(bench, payment_uuid)).toMatchObject({ state: 'paid', refunded_halalas: 2_305 })
    expect(await giveBack(bench, payment_uuid, 10_001)).toMatchObject({ kind: 'refused' })
    expect(await giveBack(bench, payment_uuid, 10_000)).toMatchObject({ kind: 'done' })
    expect(await recordOf(bench, payment_uuid)).toMatchObject({ state: 'paid', refunded_halalas: total })
    expect(await giveBack(bench, payment_uuid, 1)).toMatchObject({ kind: 'refused' })
  })

  it('is identified by our uuid, if the provider keeps it, so that it is not paid twice', async () => {
    const bench = ready()
    const payment_uuid = await paid(bench)
    const refund_uuid = newUuid()
    await giveBack(bench, payment_uuid, 500, refund_uuid)
    const { refund_uuids } = await recordOf(bench, payment_uuid)
    expect(refund_uuids).toEqual(bench.identifies_refunds ? [refund_uuid] : undefined)
    if (!bench.identifies_refunds) return
    expect(await giveBack(bench, payment_uuid, 500, refund_uuid)).toMatchObject({ kind: 'done' })
    expect(await recordOf(bench, payment_uuid)).toMatchObject({ refunded_halalas: 500 })
  })

  it('is refused before the payment', async () => {
    const bench = ready()
    const { payment_uuid } = await begun(bench)
    expect(await giveBack(bench, payment_uuid, 100)).toMatchObject({ kind: 'refused' })
    await bench.act(payment_uuid, 'decline')
    expect(await giveBack(bench, payment_uuid, 100)).toMatchObject({ kind: 'refused' })
  })
}

function authorisations(ready: Ready): void {
  async function authorised(bench: PaymentBench): Promise<Uuid | undefined> {
    if (!bench.takes_auth) {
      const payment_uuid = newUuid()
      expect(await bench.provider.create(requestOf(payment_uuid, { kind: 'auth' }))).toMatchObject({
        kind: 'unsupported',
      })
      const capture = { ...at(payment_uuid), amount_halalas: total }
      expect(await bench.provider.capture(capture)).toMatchObject({ kind: 'unsupported' })
      return undefined
    }
    const { payment_uuid } = await begun(bench, { kind: 'auth' })
    await bench.act(payment_uuid, 'pay')
    expect(await recordOf(bench, payment_uuid)).toMatchObject({ state: 'authorized', amount_halalas: total })
    return payment_uuid
  }

  it('is captured once and can then be refunded', async () => {
    const bench = ready()
    const payment_uuid = await authorised(bench)
    if (payment_uuid === undefined) return
    const { provider } = bench
    expect(await provider.capture({ ...at(payment_uuid), amount_halalas: total })).toMatchObject({ kind: 'done' })
    expect(await recordOf(bench, payment_uuid)).toMatchObject({ state: 'paid', amount_halalas: total })
    expect((await provider.capture({ ...at(payment_uuid), amount_halalas: asHalalas(1) })).kind).toBe('refused')
    expect((await provider.void(at(payment_uuid))).kind).toBe('refused')
    const refund = { ...at(payment_uuid), refund_uuid: newUuid(), amount_halalas: asHalalas(305), reason: null }
    expect(await provider.refund(refund)).toMatchObject({ kind: 'done' })
    expect(await recordOf(bench, payment_uuid)).toMatchObject({ state: 'paid', refunded_halalas: 305 })
  })

  it('may be captured for less, never for more', async () => {
    const bench = ready()
    const payment_uuid = await authorised(bench)
    if (payment_uuid === undefined) return
    const capture = (amount: number) =>
      bench.provider.capture({ ...at(payment_uuid), amount_halalas: asHalalas(amount) })
    expect(await capture(total + 1)).toMatchObject({ kind: 'refused' })
    expect(await capture(9_000)).toMatchObject({ kind: 'done' })
    expect(await recordOf(bench, payment_uuid)).toMatchObject({ state: 'paid', amount_halalas: 9_000 })
  })

  it('is cancelled by a void, and cannot be captured or refunded afterwards', async () => {
    const bench = ready()
    const payment_uuid = await authorised(bench)
    if (payment_uuid === undefined) return
    const { provider } = bench
    const refund = { ...at(payment_uuid), refund_uuid: newUuid(), amount_halalas: asHalalas(100), reason: null }
    expect(await provider.refund(refund)).toMatchObject({ kind: 'refused' })
    expect(await provider.void(at(payment_uuid))).toMatchObject({ kind: 'done' })
    expect(await recordOf(bench, payment_uuid)).toMatchObject({ state: 'voided' })
    expect((await provider.capture({ ...at(payment_uuid), amount_halalas: total })).kind).toBe('refused')
    expect((await provider.refund({ ...refund, refund_uuid: newUuid() })).kind).toBe('refused')
  })
}

const noise: readonly (readonly [what: string, answer: Scripted])[] = [
  ['a connection that breaks', { cut: true }],
  ['no answer in time', { after: never }],
  ['a failure of its own', { status: 500, body: { message: 'oops' } }],
  ['too many requests', { status: 429, body: { message: 'slow down' } }],
  ['a page of a proxy', { body: '<html>Bad gateway</html>' }],
  ['a 404 page of a proxy', { status: 404, body: '<html>Not found</html>' }],
  ['other JSON', { body: { hello: 'world' } }],
  ['null', { body: 'null' }],
  ['an empty body', { body: '' }],
  ['an endless answer', { body: 'x'.repeat(2_000_000) }],
  ['a redirect', { status: 302, body: '' }],
]

function accounts(ready: Ready): void {
  it('is found to be accepted, by a question that changes nothing', async () => {
    const { provider, wire } = ready()
    expect(await provider.checkAccount()).toEqual({ kind: wire === undefined ? 'nobody_to_ask' : 'accepted' })
    if (wire !== undefined) expect(wire.standIn.received.at(-1)?.url).toMatch(/^\/(invoices\?|payment\/query)/)
  })
}

/** Calls every operation of a provider. */
function everything(provider: PaymentProvider, payment_uuid: Uuid): Promise<{ readonly kind: string }>[] {
  const asked = at(payment_uuid, 'a-reference')
  const amount_halalas = asHalalas(100)
  return [
    provider.create(requestOf(payment_uuid)),
    provider.query(asked),
    provider.void(asked),
    provider.refund({ ...asked, refund_uuid: newUuid(), amount_halalas, reason: null }),
    provider.capture({ ...asked, amount_halalas }),
    provider.checkAccount(),
  ]
}

function errors(ready: Ready): void {
  it.each(noise)('%s gives `unknown` and never throws', async (_, answer) => {
    const { wire, takes_auth } = ready()
    if (wire === undefined) return
    const normal = wire.standIn.answer
    wire.standIn.answer = answer
    try {
      const answers = await Promise.all(everything(wire.impatient, newUuid()))
      const expected = ['unknown', 'unknown', 'unknown', 'unknown', takes_auth ? 'unknown' : 'unsupported']
      expect(answers.map(({ kind }) => kind)).toEqual([...expected, 'unknown'])
      for (const secret of wire.secrets) expect(JSON.stringify(answers)).not.toContain(secret)
    } finally {
      wire.standIn.answer = normal
    }
  })

  it('of credentials has a kind of its own', async () => {
    const { wire, takes_auth } = ready()
    if (wire === undefined) return
    const answers = await Promise.all(everything(wire.foreign, newUuid()))
    const expected = ['credentials', 'credentials', 'credentials', 'credentials']
    expect(answers.map(({ kind }) => kind)).toEqual([
      ...expected,
      takes_auth ? 'credentials' : 'unsupported',
      'credentials',
    ])
    for (const secret of wire.secrets) expect(JSON.stringify(answers)).not.toContain(secret)
  })

  it('on the way back from a refund leaves the refund in the record', async () => {
    const bench = ready()
    const { wire } = bench
    if (wire === undefined) return
    const payment_uuid = await paid(bench)
    const normal = wire.standIn.answer
    if (typeof normal !== 'function') throw new Error('the stand-in answers by its books')
    wire.standIn.answer = (request) => {
      const answer = normal(request)
      const isRefund = request.method === 'POST' && JSON.stringify([request.url, request.body]).includes('refund')
      return isRefund ? { ...answer, cut: true } : answer
    }
    const refund = { ...at(payment_uuid), refund_uuid: newUuid(), amount_halalas: asHalalas(305), reason: null }
    const lost = (await bench.provider.refund(refund)) as PaymentError
    wire.standIn.answer = normal
    expect(lost.kind).toBe('unknown')
    expect(await recordOf(bench, payment_uuid)).toMatchObject({ refunded_halalas: 305 })
  })

  it('on the way back from a new page leaves a payment that is found by our uuid', async () => {
    const bench = ready()
    const { wire } = bench
    if (wire === undefined) return
    const payment_uuid = newUuid()
    const normal = wire.standIn.answer
    if (typeof normal !== 'function') throw new Error('the stand-in answers by its books')
    wire.standIn.answer = (request) => ({ ...normal(request), cut: true })
    expect(await bench.provider.create(requestOf(payment_uuid))).toMatchObject({ kind: 'unknown' })
    wire.standIn.answer = normal
    const record = await recordOf(bench, payment_uuid)
    expect(record.state).toBe('pending')
    expect(record.provider_reference).not.toBe('')
  })
}
