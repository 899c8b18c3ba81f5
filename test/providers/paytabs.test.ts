import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { createPayTabs, isSignedReturn } from '../../src/providers/payment/paytabs.ts'
import type { PaymentProvider, PaymentRequest } from '../../src/providers/payment/port.ts'
import { paymentConformance } from './payment-conformance.ts'
import { type PayTabsStandIn, startPayTabs } from './paytabs-stand-in.ts'

// Against a local server that follows the public documentation. Never tried against the live service.

const profile_id = '47170'
const server_key = 'AAAAAAAAA9-BBBBBBBBB8-CCCCCCCCC7'

paymentConformance('PayTabs', async () => {
  const standIn = await startPayTabs(Number(profile_id), server_key)
  const settings = { profile_id, server_key, url: standIn.url }
  return {
    provider: createPayTabs(settings),
    act: (payment_uuid, what) => standIn.act(payment_uuid, what === 'pay' ? 'A' : 'D'),
    takes_auth: true,
    paid_with: 'visa',
    identifies_refunds: true,
    allows_retry: false,
    wire: {
      standIn,
      secrets: [server_key],
      impatient: createPayTabs({ ...settings, timeout_ms: 200 }),
      foreign: createPayTabs({ ...settings, server_key: 'ZZZZZZZZZ1-YYYYYYYYY2-XXXXXXXXX3' }),
    },
    close: () => standIn.close(),
  }
})

describe('PayTabs', () => {
  let standIn: PayTabsStandIn
  let provider: PaymentProvider

  beforeAll(async () => {
    standIn = await startPayTabs(Number(profile_id), server_key)
    provider = createPayTabs({ profile_id, server_key, url: `${standIn.url}/` })
  })
  afterAll(() => standIn.close())

  const requestOf = (payment_uuid: Uuid, changes: Partial<PaymentRequest> = {}): PaymentRequest => ({
    ...{ program_id: 1, payment_uuid, amount_halalas: asHalalas(1_005), description: 'Order', kind: 'sale' },
    locale: 'ar',
    return_url: 'https://shop.example/return',
    callback_url: 'https://shop.example/callback',
    ...changes,
  })
  const at = (payment_uuid: Uuid) => ({ program_id: 1, payment_uuid, provider_reference: null })
  const stateOf = async (payment_uuid: Uuid) =>
    (await provider.query(at(payment_uuid))) as { kind: string; state?: string }

  it('gets a request for a hosted page as documented, in SAR, with the raw key', async () => {
    const payment_uuid = newUuid()
    await provider.create(requestOf(payment_uuid, { description: 'x'.repeat(300) }))
    const sent = standIn.received.at(-1)
    expect(sent).toMatchObject({ method: 'POST', url: '/payment/request' })
    expect(sent?.headers.authorization).toBe(server_key)
    expect(sent?.body).toEqual({
      profile_id: 47_170,
      tran_type: 'sale',
      tran_class: 'ecom',
      cart_id: payment_uuid,
      cart_description: 'x'.repeat(128),
      cart_currency: 'SAR',
      cart_amount: 10.05,
      callback: 'https://shop.example/callback',
      return: 'https://shop.example/return',
      paypage_lang: 'ar',
      paypage_ttl: 20,
      hide_shipping: true,
    })
  })

  it('refuses the same cart within two minutes, which is `unknown`, so that the record is queried first', async () => {
    const request = requestOf(newUuid())
    expect(await provider.create(request)).toMatchObject({ kind: 'page' })
    expect(await provider.create(request)).toMatchObject({
      kind: 'unknown',
      detail: expect.stringMatching(/two minutes/),
    })
    standIn.pass(121_000)
    expect(await provider.create(request)).toMatchObject({ kind: 'page' })
  })

  it.each([
    ['H', 'pending'],
    ['P', 'pending'],
    ['Q', 'pending'],
    ['V', 'voided'],
    ['E', 'failed'],
    ['D', 'failed'],
    ['X', 'failed'],
    ['C', 'failed'],
  ])('a payment in the state %s is %s', async (status, state) => {
    const payment_uuid = newUuid()
    await provider.create(requestOf(payment_uuid))
    standIn.act(payment_uuid, status)
    expect(await stateOf(payment_uuid)).toMatchObject({ state })
  })

  it.each([
    ['Transaction not found', 'not_found'],
    ['Profile not found', 'refused'],
    ['Currency not found', 'refused'],
  ])('%s: %s', async (message, kind) => {
    const normal = standIn.answer
    standIn.answer = { status: 200, body: { code: 113, message, trace: 'x' } }
    try {
      expect(await provider.query({ ...at(newUuid()), provider_reference: 'TST1' })).toMatchObject({ kind })
    } finally {
      standIn.answer = normal
    }
  })

  it('a cart that was declined and then paid is paid', async () => {
    const payment_uuid = newUuid()
    await provider.create(requestOf(payment_uuid))
    standIn.act(payment_uuid, 'D')
    standIn.pass(121_000)
    await provider.create(requestOf(payment_uuid))
    standIn.act(payment_uuid, 'A')
    expect(await stateOf(payment_uuid)).toMatchObject({ state: 'paid' })
  })

  it('a record in another currency is not accepted', async () => {
    const payment_uuid = newUuid()
    await provider.create(requestOf(payment_uuid))
    standIn.act(payment_uuid, 'A')
    Object.assign(standIn.rows[0] ?? {}, { cart_currency: 'AED' })
    expect(await stateOf(payment_uuid)).toMatchObject({ kind: 'unknown', detail: expect.stringMatching(/currency/) })
  })

  it('a payment that the cart does not list yet is found by its reference', async () => {
    const payment_uuid = newUuid()
    const page = await provider.create(requestOf(payment_uuid))
    const normal = standIn.answer
    standIn.answer = (request) => {
      const byCart = (request.body as Record<string, unknown>)['cart_id'] !== undefined
      return byCart ? { body: [] } : typeof normal === 'function' ? normal(request) : normal
    }
    const provider_reference = page.kind === 'page' ? page.provider_reference : ''
    const found = await provider.query({ ...at(payment_uuid), provider_reference })
    const foreign = await provider.query({ ...at(newUuid()), provider_reference })
    standIn.answer = normal
    expect(found).toMatchObject({ kind: 'payment', state: 'pending' })
    expect(foreign.kind).toBe('unknown')
  })

  it('an unreadable list decides nothing, even if the payment itself is readable', async () => {
    const payment_uuid = newUuid()
    const page = await provider.create(requestOf(payment_uuid))
    standIn.act(payment_uuid, 'A')
    const provider_reference = page.kind === 'page' ? page.provider_reference : ''
    const asked = { program_id: 1, payment_uuid, provider_reference }
    const refund = { ...asked, refund_uuid: newUuid(), amount_halalas: asHalalas(100), reason: null }
    expect(await provider.refund(refund)).toMatchObject({ kind: 'done' })
    const normal = standIn.answer
    standIn.answer = (request) => {
      const byCart = request.url === '/payment/query' && JSON.stringify(request.body).includes('cart_id')
      if (byCart) return { status: 500, body: { code: 9, message: 'oops' } }
      return typeof normal === 'function' ? normal(request) : normal
    }
    const rows = standIn.rows.length
    const answers = [await provider.query(asked), await provider.refund({ ...refund, refund_uuid: newUuid() })]
    standIn.answer = normal
    expect(answers.map(({ kind }) => kind)).toEqual(['unknown', 'unknown'])
    expect(standIn.rows.length).toBe(rows)
  })

  it('a payment with more refunds than fit in a list is still found, and no recent refund is paid twice', async () => {
    const payment_uuid = newUuid()
    const page = await provider.create(requestOf(payment_uuid))
    const provider_reference = page.kind === 'page' ? page.provider_reference : ''
    standIn.act(payment_uuid, 'A')
    const asked = { program_id: 1, payment_uuid, provider_reference, reason: null }
    let last = newUuid()
    for (let amount = 1; amount <= 20; amount += 1) {
      last = newUuid()
      const refund = { ...asked, refund_uuid: last, amount_halalas: asHalalas(amount) }
      expect(await provider.refund(refund)).toMatchObject({ kind: 'done' })
    }
    const rows = standIn.rows.length
    expect(await provider.refund({ ...asked, refund_uuid: last, amount_halalas: asHalalas(20) })).toMatchObject({
      kind: 'done',
    })
    expect(standIn.rows.length).toBe(rows)
    expect(await provider.query(asked)).toMatchObject({ state: 'paid', refunded_halalas: 210 })
    expect(await provider.query(at(payment_uuid))).toMatchObject({ kind: 'unknown' })
  })

  it.each([
    ['D', 'declined'],
    ['E', 'refused'],
    ['P', 'done'],
    ['H', 'unknown'],
  ])('a refund that is answered with %s, and HTTP 200, is %s', async (response_status, kind) => {
    const payment_uuid = newUuid()
    await provider.create(requestOf(payment_uuid))
    standIn.act(payment_uuid, 'A')
    const normal = standIn.answer
    standIn.answer = (request) => {
      const usual = typeof normal === 'function' ? normal(request) : normal
      const payment_result = { response_status, response_message: 'As the bank says' }
      return request.url === '/payment/request' ? { body: { tran_ref: 'TST1', payment_result } } : usual
    }
    const refund = { ...at(payment_uuid), refund_uuid: newUuid(), amount_halalas: asHalalas(100), reason: null }
    const outcome = await provider.refund(refund)
    standIn.answer = normal
    expect(outcome.kind).toBe(kind)
  })
})

describe('a signature of PayTabs', () => {
  const provider = createPayTabs({ profile_id, server_key })
  const report = { payment_uuid: newUuid(), query: {} }

  it('covers the raw bytes of a report', async () => {
    const standIn = await startPayTabs(Number(profile_id), server_key)
    const { body, headers } = standIn.report('any')
    const other = standIn.report('any', 'another key')
    await standIn.close()
    expect(provider.isGenuine({ ...report, body, headers })).toBe(true)
    expect(provider.isGenuine({ ...report, body: Buffer.concat([body, Buffer.from(' ')]), headers })).toBe(false)
    expect(provider.isGenuine({ ...report, ...other })).toBe(false)
    for (const signature of ['', 'deadbeef', [headers['signature'] ?? '', 'x']])
      expect(provider.isGenuine({ ...report, body, headers: { signature } })).toBe(false)
    expect(provider.isGenuine({ ...report, body, headers: {} })).toBe(false)
  })

  // PayTabs' published test vector.
  const published = {
    key: 'SGJNZ96JLG-JDMKHGRWT9-RWRK2KJNRJ',
    fields:
      'cartId=cart_11111&customerEmail=email%40domain.com&respCode=G84718&respMessage=Authorised&respStatus=A' +
      '&tranRef=TST2215201242166',
    signature: '7a181a32c768621eb6966107752ee70205a01f1c4403a3d13c0ff604f591f988',
  }
  const isSigned = (form: string, key = published.key) => isSignedReturn(Buffer.from(form), key)

  it('covers the sorted fields of a return, without empty ones', () => {
    const { fields, signature } = published
    expect(isSigned(`${fields}&signature=${signature}`)).toBe(true)
    const shuffled = [...fields.split('&').reverse(), 'token=', `signature=${signature}`, 'acquirerMessage=']
    expect(isSigned(shuffled.join('&'))).toBe(true)
    const ours = createPayTabs({ profile_id, server_key: published.key })
    expect(ours.isGenuine({ ...report, body: Buffer.from(shuffled.join('&')), headers: {} })).toBe(true)
  })

  it.each([
    ['another state', `${published.fields.replace('respStatus=A', 'respStatus=D')}&signature=${published.signature}`],
    ['one field more', `${published.fields}&x=1&signature=${published.signature}`],
    ['no signature', published.fields],
    ['an empty signature', `${published.fields}&signature=`],
    ['nothing else', `signature=${published.signature}`],
    ['nothing', ''],
  ])('a return with %s is not genuine', (_, form) => {
    expect(isSigned(form)).toBe(false)
  })

  it('by another key is not genuine', () => {
    expect(isSigned(`${published.fields}&signature=${published.signature}`, 'another key')).toBe(false)
  })
})
