import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/db/pool.ts'
import type { Merchant } from '../../../src/domain/merchant.ts'
import type { Phone } from '../../../src/domain/phone.ts'
import {
  createSendInvitations,
  type InvitationParts,
  purgeMessages,
} from '../../../src/features/customers/invitations.ts'
import { activateCustomer } from '../../../src/features/earning/activation.ts'
import { createEarn, type Earn } from '../../../src/features/earning/service.ts'
import type { SmsOutcome, SmsSender } from '../../../src/providers/sms/port.ts'
import { sandboxSms } from '../../../src/providers/sms/sandbox.ts'
import { testDatabase } from '../../support/database.ts'
import { earningMerchants, earningOf, freshPhone, oneMerchant, refusalOf, TestClock } from '../../support/earnings.ts'
import { budgetOn, keptMessages } from '../../support/messages.ts'

// docs/spec/customers.md#invitations: a customer whose first earning waits gets a message with a link.

/** Recognises the error by its message, because errors from the nodes of a cluster lose their SQLSTATE. */
const refusedPhone = expect.stringContaining('violates check constraint "customer_phone_check"')
const database = testDatabase()
const business = new TestClock('2026-02-01T09:00:00.000Z')
let earning: Earn | undefined
const earn: Earn = (one) => {
  earning ??= createEarn({ db: database.db, clock: business, lock_window_s: 10 })
  return earning(one)
}

const required = { activation: 'required' } as const

interface MessageRow {
  readonly state: string
  readonly attempts: number
  readonly error: string | null
  readonly due_at: Date
  readonly merchant_id: number
  readonly leased_until: Date | null
}

function messagesTo({ program_id }: Merchant, phone?: Phone) {
  return database.owner.run<MessageRow>({
    text: `select q.state, q.attempts, q.error, q.due_at, q.merchant_id, q.leased_until from sms_queue q
      join customer c on c.program_id = q.program_id and c.customer_id = q.customer_id
      where q.program_id = $1 and c.phone = coalesce($2, c.phone) order by q.sms_uuid`,
    values: [program_id, phone ?? null],
  })
}

/** A worker at a time that stands until it is moved. */
function worker(parts: Partial<InvitationParts> = {}) {
  let now_ms = Date.now() + 1_000
  const failed: unknown[] = []
  const send = createSendInvitations({
    db: database.db,
    sms: sandboxSms,
    budget: budgetOn(parts.db ?? database.db, { now: () => new Date(now_ms) }),
    public_url: 'https://points.example',
    now: () => new Date(now_ms),
    onFailed: (message) => failed.push(message),
    ...parts,
  })
  return { send, failed, now: () => new Date(now_ms), pass: (s: number) => (now_ms += s * 1000) }
}

async function invited(merchant: Merchant, phone = freshPhone()): Promise<Phone> {
  await earn(earningOf(merchant, { phone }))
  return phone
}

const setLocale = (merchant: Merchant, locale: string) =>
  database.owner.run({
    text: 'update program set locale = $2 where program_id = $1',
    values: [merchant.program_id, locale],
  })

describe('an invitation is queued', () => {
  it('with the customer that an earning makes, once, whatever earns later', async () => {
    const [first, second] = await earningMerchants(database.db, 2, required)
    if (first === undefined || second === undefined) throw new Error('no merchants were made')
    const phone = await invited(first)
    expect(await messagesTo(first, phone)).toMatchObject([
      { state: 'due', attempts: 0, merchant_id: first.merchant_id },
    ])
    await earn(earningOf(second, { phone }))
    await earn(earningOf(second, { phone, source: 'store_rating' }))
    expect(await messagesTo(first, phone)).toHaveLength(1)
    expect(await worker().send(AbortSignal.abort())).toBe(0)
    expect(await worker().send()).toBe(1)
  })

  it('once also when several earnings of one phone arrive together', async () => {
    const merchants = await earningMerchants(database.db, 8, required)
    const phone = freshPhone()
    await Promise.all(merchants.map((merchant) => earn(earningOf(merchant, { phone }))))
    const [merchant] = merchants
    if (merchant === undefined) throw new Error('no merchants were made')
    expect(await messagesTo(merchant, phone)).toHaveLength(1)
    await worker().send()
  })

  it('not where customers become active by themselves, and not for those who are known', async () => {
    const automatic = await oneMerchant(database.db, { activation: 'automatic' })
    await earn(earningOf(automatic))
    expect(await messagesTo(automatic)).toEqual([])
    const waiting = await oneMerchant(database.db, required)
    await earn(earningOf(waiting, { phone: '500000003' as Phone }))
    expect(await messagesTo(waiting)).toEqual([])
  })

  it('not when nothing else is written', async () => {
    const merchant = await oneMerchant(database.db, required)
    await expect(earn(earningOf(merchant, { phone: 'no phone' as Phone }))).rejects.toMatchObject({
      message: refusedPhone,
    })
    const order_number = 'TWICE'
    await earn(earningOf(merchant, { order_number }))
    await refusalOf(earn(earningOf(merchant, { order_number })))
    expect(await messagesTo(merchant)).toHaveLength(1)
    await worker().send()
  })
})

describe('an invitation is sent', () => {
  it('in the language of the program, with the merchant’s name and the way to the wallet of the program', async () => {
    const merchant = await oneMerchant(database.db, required)
    const { program_id, merchant_id } = merchant
    await database.owner.run({
      text: `update merchant set name = 'Tea $& Co.' where program_id = $1 and merchant_id = $2`,
      values: [program_id, merchant_id],
    })
    const { sms, sent } = keptMessages()
    const english = await invited(merchant)
    const send = worker({ sms }).send
    expect(await send()).toBe(1)
    await setLocale(merchant, 'ar')
    const arabic = await invited(merchant)
    expect(await worker({ sms }).send()).toBe(1)
    const link =
      program_id === 1 ? 'https://points.example/wallet' : `https://points.example/wallet?program=${program_id}`
    expect(sent).toEqual([
      { phone: english, text: `Points of Tea $& Co. are waiting for you. Activate your wallet to get them: ${link}` },
      { phone: arabic, text: `لك نقاط بانتظارك من Tea $& Co.. فعّل محفظتك لتحصل عليها: ${link}` },
    ])
    expect(await messagesTo(merchant, english)).toMatchObject([{ state: 'sent', attempts: 1, leased_until: null }])
    expect(await send()).toBe(0)
  })

  it('by a sandbox to nobody, and is as good as sent', async () => {
    const merchant = await oneMerchant(database.db, required)
    const phone = await invited(merchant)
    await worker().send()
    expect(await messagesTo(merchant, phone)).toMatchObject([{ state: 'sent', error: null }])
  })

  it('not to a customer who has been activated meanwhile', async () => {
    const merchant = await oneMerchant(database.db, required)
    const phone = await invited(merchant)
    await activateCustomer(database.db, business, { program_id: merchant.program_id, phone })
    const { sms, sent } = keptMessages()
    await worker({ sms }).send()
    expect(sent).toEqual([])
    expect(await messagesTo(merchant, phone)).toMatchObject([{ state: 'dropped' }])
  })

  it('again after 10, 100 and 1,000 seconds; then it has failed, and the failure is reported', async () => {
    const merchant = await oneMerchant(database.db, required)
    const phone = await invited(merchant)
    const { sms, sent } = keptMessages({ kind: 'refused', detail: 'HTTP 400' })
    const { send, pass, failed } = worker({ sms })
    for (const [index, wait_s] of [10, 100, 1_000].entries()) {
      expect(await send()).toBe(1)
      pass(wait_s - 1)
      expect(await send()).toBe(0)
      expect(await messagesTo(merchant, phone)).toMatchObject([{ state: 'due', attempts: index + 1 }])
      pass(1)
    }
    expect(failed).toEqual([])
    expect(await send()).toBe(1)
    expect(sent).toHaveLength(4)
    expect(failed).toEqual([{ sms_uuid: expect.any(String), error: 'refused: HTTP 400' }])
    expect(JSON.stringify(failed)).not.toContain(phone)
    pass(1_000_000)
    expect(await send()).toBe(0)
    expect(await messagesTo(merchant, phone)).toMatchObject([{ state: 'failed', error: 'refused: HTTP 400' }])
  })

  it('until it succeeds', async () => {
    const merchant = await oneMerchant(database.db, required)
    const phone = await invited(merchant)
    const { sms, sent } = keptMessages({ kind: 'unknown', detail: 'no answer' }, { kind: 'sent', reference: '1' })
    const { send, pass } = worker({ sms })
    await send()
    pass(10)
    await send()
    expect(sent).toHaveLength(2)
    expect(await messagesTo(merchant, phone)).toMatchObject([{ state: 'sent', attempts: 2, error: null }])
  })
})

describe('workers', () => {
  it('share what is due: each message is sent once', async () => {
    const merchant = await oneMerchant(database.db, required)
    for (let count = 0; count < 30; count += 1) await invited(merchant)
    const { sms, sent } = keptMessages()
    const pools: Database[] = [database.connect({ size: 4 }), database.connect({ size: 4 })]
    const attempts = await Promise.all(pools.flatMap((db) => [worker({ db, sms }).send(), worker({ db, sms }).send()]))
    expect(attempts.reduce((sum, count) => sum + count, 0)).toBe(30)
    expect(new Set(sent.map(({ phone }) => phone)).size).toBe(30)
    expect(sent).toHaveLength(30)
  })

  it('take over from one that died while sending; its late result is ignored', async () => {
    const merchant = await oneMerchant(database.db, required)
    const phone = await invited(merchant)
    const stuck = Promise.withResolvers<SmsOutcome>()
    const entered = Promise.withResolvers<void>()
    const hanging: SmsSender = {
      ...sandboxSms,
      send: () => {
        entered.resolve()
        return stuck.promise
      },
    }
    const first = worker({ sms: hanging })
    const dying = first.send()
    await entered.promise
    const { sms, sent } = keptMessages()
    const second = worker({ sms, now: () => new Date(Date.now() + 29_000) })
    expect(await second.send()).toBe(0)
    const third = worker({ sms, now: () => new Date(Date.now() + 32_000) })
    expect(await third.send()).toBe(1)
    expect(sent).toHaveLength(1)
    stuck.resolve({ kind: 'refused', detail: 'HTTP 400' })
    await dying
    expect(await messagesTo(merchant, phone)).toMatchObject([{ state: 'sent', attempts: 2, error: null }])
  })

  it('never begin a fifth attempt, whatever died during the fourth', async () => {
    const merchant = await oneMerchant(database.db, required)
    const phone = await invited(merchant)
    await database.owner.run({
      text: 'update sms_queue set attempts = 4, leased_until = $2 where program_id = $1',
      values: [merchant.program_id, new Date(Date.now() - 1_000)],
    })
    const { sms, sent } = keptMessages()
    const { send, failed } = worker({ sms })
    await send()
    expect(sent).toEqual([])
    expect(failed).toHaveLength(1)
    expect(await messagesTo(merchant, phone)).toMatchObject([{ state: 'failed' }])
  })
})

it('messages that ended long ago are purged, due ones stay', async () => {
  const merchant = await oneMerchant(database.db, required)
  await invited(merchant)
  await invited(merchant)
  const ended = worker()
  await ended.send()
  const waiting = await invited(merchant)
  const later = new Date(ended.now().getTime() + 60_000)
  expect(await purgeMessages(database.db, new Date(later.getTime() - 120_000))).toBe(0)
  expect(await purgeMessages(database.db, later, 1)).toBeGreaterThanOrEqual(2)
  expect(await messagesTo(merchant)).toHaveLength(1)
  expect(await messagesTo(merchant, waiting)).toMatchObject([{ state: 'due' }])
  await worker().send()
})
