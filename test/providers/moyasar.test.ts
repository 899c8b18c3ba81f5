import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { createMoyasar } from '../../src/providers/payment/moyasar.ts'
import type { PaymentProvider, PaymentRequest } from '../../src/providers/payment/port.ts'
import { type MoyasarStandIn, startMoyasar } from './moyasar-stand-in.ts'
import { paymentConformance } from './payment-conformance.ts'

// Against a local server that follows the public documentation. Never tried against the live service.

const secret_key = 'sk_test_a-key-that-nobody-may-see'
const webhook_secret = 'a-webhook-secret-that-nobody-may-see'

paymentConformance('Moyasar', async () => {
  const standIn = await startMoyasar(secret_key)
  const settings = { secret_key, webhook_secret, url: standIn.url }
  return {
    provider: createMoyasar(settings),
    act: (payment_uuid, what) => standIn.act(payment_uuid, what === 'pay' ? 'paid' : 'failed'),
    takes_auth: false,
    paid_with: 'mastercard',
    identifies_refunds: false,
    allows_retry: true,
    wire: {
      standIn,
      secrets: [secret_key, webhook_secret],
      impatient: createMoyasar({ ...settings, timeout_ms: 200 }),
      foreign: createMoyasar({ ...settings, secret_key: 'sk_test_of-somebody-else' }),
    },
    close: () => standIn.close(),
  }
})

describe('Moyasar', () => {
  let standIn: MoyasarStandIn
  let provider: PaymentProvider

  beforeAll(async () => {
    standIn = await startMoyasar(secret_key)
    provider = createMoyasar({ secret_key, webhook_secret, url: `${standIn.url}/` })
  })
  afterAll(() => standIn.close())

  const requestOf = (payment_uuid: Uuid, amount: number): PaymentRequest => ({
    ...{ program_id: 1, payment_uuid, amount_halalas: asHalalas(amount), description: 'Order', kind: 'sale' },
    locale: 'ar',
    return_url: 'https://shop.example/return',
    callback_url: 'https://shop.example/callback',
  })
  const at = (payment_uuid: Uuid) => ({ program_id: 1, payment_uuid, provider_reference: null })

  it('gets a request for an invoice as documented, in halalas, with an expiry', async () => {
    const payment_uuid = newUuid()
    const asked_ms = Date.now()
    await provider.create(requestOf(payment_uuid, 1_005))
    const sent = standIn.received.at(-1)
    expect(sent).toMatchObject({ method: 'POST', url: '/invoices' })
    expect(sent?.headers.authorization).toBe(`Basic ${Buffer.from(`${secret_key}:`).toString('base64')}`)
    expect(sent?.body).toEqual({
      amount: 1_005,
      currency: 'SAR',
      description: 'Order',
      callback_url: expect.stringMatching(/^https:\/\/shop\.example\/callback\?proof=[0-9a-f]{64}$/),
      success_url: 'https://shop.example/return',
      back_url: 'https://shop.example/return?left=yes',
      expired_at: expect.any(String),
      metadata: { payment_uuid },
    })
    const expires_ms = Date.parse(standIn.invoiceOf(payment_uuid).expired_at)
    expect(expires_ms).toBeGreaterThanOrEqual(asked_ms + 20 * 60_000)
  })

  it('refuses less than a riyal without a request', async () => {
    const before = standIn.received.length
    const refused = await provider.create(requestOf(newUuid(), 99))
    expect(refused).toEqual({ kind: 'refused', detail: 'Moyasar takes no amount below 1 SAR' })
    expect(standIn.received.length).toBe(before)
    expect(await provider.create(requestOf(newUuid(), 100))).toMatchObject({ kind: 'page' })
  })

  it.each([
    ['initiated', 'pending'],
    ['on_hold', 'pending'],
    ['expired', 'failed'],
    ['canceled', 'failed'],
    ['failed', 'pending'],
    ['voided', 'voided'],
  ])('an invoice that is %s, without a payment, is %s', async (status, state) => {
    const payment_uuid = newUuid()
    await provider.create(requestOf(payment_uuid, 5_000))
    standIn.invoiceOf(payment_uuid).status = status
    expect(await provider.query(at(payment_uuid))).toMatchObject({ state })
  })

  it('an invoice that is paid but lists no payment proves nothing', async () => {
    const payment_uuid = newUuid()
    await provider.create(requestOf(payment_uuid, 5_000))
    standIn.invoiceOf(payment_uuid).status = 'paid'
    expect(await provider.query(at(payment_uuid))).toMatchObject({ kind: 'unknown' })
  })

  it('a payment in another currency is not accepted', async () => {
    const payment_uuid = newUuid()
    await provider.create(requestOf(payment_uuid, 5_000))
    standIn.act(payment_uuid, 'paid')
    Object.assign(standIn.invoiceOf(payment_uuid).payments[0] ?? {}, { currency: 'USD' })
    expect(await provider.query(at(payment_uuid))).toMatchObject({
      kind: 'unknown',
      detail: expect.stringMatching(/currency/),
    })
  })

  it('a list that goes on elsewhere does not say that there is none', async () => {
    const normal = standIn.answer
    standIn.answer = () => ({ body: { invoices: [], meta: { current_page: 1, next_page: 2, total_count: 41 } } })
    expect(await provider.query(at(newUuid()))).toMatchObject({ kind: 'unknown' })
    standIn.answer = normal
  })

  it('when a lost answer led to two invoices, the paid one counts', async () => {
    const payment_uuid = newUuid()
    await provider.create(requestOf(payment_uuid, 5_000))
    standIn.act(payment_uuid, 'paid')
    const { id } = standIn.invoiceOf(payment_uuid)
    await provider.create(requestOf(payment_uuid, 5_000))
    expect(await provider.query(at(payment_uuid))).toMatchObject({ state: 'paid', provider_reference: id })
  })

  it('a refund that does not change the payment is unknown', async () => {
    const payment_uuid = newUuid()
    await provider.create(requestOf(payment_uuid, 5_000))
    standIn.act(payment_uuid, 'paid')
    const [payment] = standIn.invoiceOf(payment_uuid).payments
    const normal = standIn.answer
    standIn.answer = (request) => {
      const usual = typeof normal === 'function' && request.method === 'GET' ? normal(request) : undefined
      return usual ?? { body: payment ?? {} }
    }
    const refund = { ...at(payment_uuid), refund_uuid: newUuid(), amount_halalas: asHalalas(100), reason: null }
    const outcome = await provider.refund(refund)
    standIn.answer = normal
    expect(outcome.kind).toBe('unknown')
  })
})

describe('a report of Moyasar is genuine with', () => {
  const provider = createMoyasar({ secret_key, webhook_secret })
  const payment_uuid = newUuid()
  const headers = {}
  const json = (value: unknown) => Buffer.from(JSON.stringify(value))

  it('the secret token of the account’s webhook', () => {
    const of = (body: Buffer) => provider.isGenuine({ payment_uuid, body, headers, query: {} })
    expect(of(json({ type: 'payment_paid', secret_token: webhook_secret, data: {} }))).toBe(true)
    for (const secret_token of ['', 'x', `${webhook_secret}x`, null, undefined, [webhook_secret], true])
      expect(of(json({ type: 'payment_paid', secret_token }))).toBe(false)
    for (const body of ['', 'null', '[]', '{', '<html>']) expect(of(Buffer.from(body))).toBe(false)
  })

  it('the callback URL of the invoice, which is unique to the payment', async () => {
    const standIn = await startMoyasar(secret_key)
    const own = createMoyasar({ secret_key, webhook_secret, url: standIn.url })
    const amount_halalas = asHalalas(100)
    const urls = { return_url: 'https://shop.example/r', callback_url: 'https://shop.example/c?lang=ar' }
    const request = {
      program_id: 1,
      payment_uuid,
      amount_halalas,
      description: 'x',
      kind: 'sale',
      locale: 'en',
    } as const
    await own.create({ ...request, ...urls })
    const { callback_url } = standIn.invoiceOf(payment_uuid)
    await standIn.close()
    const query = Object.fromEntries(new URL(callback_url).searchParams)
    expect(query).toMatchObject({ lang: 'ar' })
    const body = json({ id: 'x', status: 'paid' })
    expect(provider.isGenuine({ payment_uuid, body, headers, query })).toBe(true)
    expect(provider.isGenuine({ payment_uuid: newUuid(), body, headers, query })).toBe(false)
    expect(provider.isGenuine({ payment_uuid, body, headers, query: { proof: 'x' } })).toBe(false)
  })
})
