import { beforeAll, describe, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { asHalalas } from '../../src/domain/money.ts'
import type { SandboxCard } from '../../src/domain/sandbox-payment.ts'
import { createSandboxPage, createSandboxStore, type SandboxPage } from '../../src/features/payments/sandbox.ts'
import { newUuid } from '../../src/lib/ids.ts'
import type { PaymentProvider } from '../../src/providers/payment/port.ts'
import { createSandboxPayments } from '../../src/providers/payment/sandbox.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { paymentConformance } from './payment-conformance.ts'

const database = testDatabase()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const public_url = 'https://localhost:8443'
const program_id = 1

let provider: PaymentProvider
let page: SandboxPage
const reported: Uuid[] = []

beforeAll(() => {
  const parts = { db: database.db, clock }
  provider = createSandboxPayments(createSandboxStore(parts), public_url)
  page = createSandboxPage({ ...parts, report: async (_, payment_uuid) => reported.push(payment_uuid) })
})

const choose = (payment_uuid: Uuid, card: SandboxCard) => page.choose({ program_id, payment_uuid }, card)

paymentConformance('the sandbox', async () => ({
  provider: createSandboxPayments(createSandboxStore({ db: database.db, clock }), public_url),
  act: (payment_uuid, what) => choose(payment_uuid, what === 'pay' ? 'succeeds' : 'declined'),
  takes_auth: true,
  paid_with: 'mada',
  identifies_refunds: true,
  allows_retry: false,
  wire: undefined,
  close: () => undefined,
}))

describe('the cards of the sandbox', () => {
  async function asked(kind: 'sale' | 'auth' = 'sale'): Promise<Uuid> {
    const payment_uuid = newUuid()
    const amount_halalas = asHalalas(5_000)
    const urls = { return_url: `${public_url}/checkout/t/return`, callback_url: `${public_url}/c` }
    await provider.create({
      ...{ program_id, payment_uuid, amount_halalas, kind, ...urls },
      ...{ description: 'Order 1', locale: 'en' },
    })
    return payment_uuid
  }

  const at = (payment_uuid: Uuid) => ({ program_id, payment_uuid, provider_reference: null })
  const stateOf = async (payment_uuid: Uuid) => {
    const record = await provider.query(at(payment_uuid))
    return record.kind === 'payment' ? record.state : record.kind
  }

  it('each payment has a page under our own URL', async () => {
    const payment_uuid = newUuid()
    const request = { program_id, payment_uuid, amount_halalas: asHalalas(1), kind: 'sale', locale: 'en' } as const
    const answer = await provider.create({ ...request, description: 'x', return_url: 'r', callback_url: 'c' })
    expect(answer).toEqual({
      kind: 'page',
      provider_reference: payment_uuid,
      url: `${public_url}/sandbox/pay/1/${payment_uuid}?begins=en`,
    })
  })

  it('the challenge card pays when the challenge is answered, and only once', async () => {
    const payment_uuid = await asked()
    await choose(payment_uuid, 'challenge')
    expect(await stateOf(payment_uuid)).toBe('pending')
    await page.answer(at(payment_uuid), true)
    expect(await stateOf(payment_uuid)).toBe('paid')
    await page.answer(at(payment_uuid), false)
    expect(await stateOf(payment_uuid)).toBe('paid')
    const failed = await asked()
    await choose(failed, 'challenge')
    await page.answer(at(failed), false)
    expect(await stateOf(failed)).toBe('failed')
  })

  it('the slow card pays after 15 s of the business clock, and can then be refunded', async () => {
    const payment_uuid = await asked('auth')
    await choose(payment_uuid, 'slow')
    clock.advance(14.999)
    expect(await stateOf(payment_uuid)).toBe('pending')
    clock.advance(0.001)
    expect(await stateOf(payment_uuid)).toBe('authorized')
    expect(await provider.capture({ ...at(payment_uuid), amount_halalas: asHalalas(5_000) })).toMatchObject({
      kind: 'done',
    })
    expect(await stateOf(payment_uuid)).toBe('paid')
  })

  it('the slow card does not pay when it is voided before', async () => {
    const payment_uuid = await asked()
    await choose(payment_uuid, 'slow')
    expect(await provider.void(at(payment_uuid))).toMatchObject({ kind: 'done' })
    clock.advance(60)
    expect(await stateOf(payment_uuid)).toBe('failed')
  })

  it('the vanishing card pays, and a minute later every operation is `not_found`', async () => {
    const payment_uuid = await asked()
    await choose(payment_uuid, 'vanishes')
    clock.advance(59.999)
    expect(await stateOf(payment_uuid)).toBe('paid')
    clock.advance(0.001)
    expect(await stateOf(payment_uuid)).toBe('not_found')
    const refund = { ...at(payment_uuid), refund_uuid: newUuid(), amount_halalas: asHalalas(1), reason: null }
    expect(await provider.refund(refund)).toMatchObject({ kind: 'not_found' })
    expect(await page.read(at(payment_uuid))).toBeNull()
  })

  it.each(['declined', 'cancel'] as const)('%s pays nothing', async (card) => {
    const payment_uuid = await asked()
    await choose(payment_uuid, card)
    expect(await stateOf(payment_uuid)).toBe('failed')
  })

  it('a page works once, and each use is reported', async () => {
    const payment_uuid = await asked()
    await Promise.all([
      choose(payment_uuid, 'succeeds'),
      choose(payment_uuid, 'declined'),
      choose(payment_uuid, 'slow'),
    ])
    const state = await stateOf(payment_uuid)
    expect(['paid', 'failed', 'pending']).toContain(state)
    await choose(payment_uuid, 'cancel')
    expect(await stateOf(payment_uuid)).toBe(state)
    expect(reported.filter((one) => one === payment_uuid).length).toBe(1)
  })

  it('forty refunds at once never exceed the payment', async () => {
    const payment_uuid = await asked()
    await choose(payment_uuid, 'succeeds')
    const refunds = Array.from({ length: 40 }, () =>
      provider.refund({ ...at(payment_uuid), refund_uuid: newUuid(), amount_halalas: asHalalas(300), reason: null }),
    )
    const done = (await Promise.all(refunds)).filter(({ kind }) => kind === 'done')
    expect(done.length).toBe(16)
    expect(await provider.query(at(payment_uuid))).toMatchObject({ refunded_halalas: 4_800 })
  })
})
