import { type EntryRow, post, type TransferRow } from '../../src/db/ledger.ts'
import { enqueueEvents } from '../../src/db/outbox.ts'
import type { Database } from '../../src/db/pool.ts'
import type { Transaction } from '../../src/db/transaction.ts'
import type { Earning } from '../../src/domain/earning.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import { applyEntries, type LedgerFact, transferOf } from '../../src/domain/ledger.ts'
import { parseSar } from '../../src/domain/money.ts'
import { parsePhone } from '../../src/domain/phone.ts'
import { asPoints, pointsEarned } from '../../src/domain/points.ts'
import { createEarn } from '../../src/features/earning/service.ts'
import { createAuthenticate } from '../../src/features/merchants/authenticate.ts'
import { ensureFirstProgram } from '../../src/features/merchants/programs.ts'
import { createMerchants } from '../../src/features/merchants/service.ts'
import { OffsetClock } from '../../src/lib/clock.ts'
import { newReferenceNumber, newUuid } from '../../src/lib/ids.ts'

/** The rows that the tests of the verification break. */
export interface LedgerFixture {
  readonly program_id: number
  readonly merchant: Uuid
  /** Earned twice and refunded once in part. */
  readonly sara: Uuid
  /** Redeemed: one order paid, one refunded, one authorised, one cancelled. */
  readonly omar: Uuid
  readonly earned: Uuid
  readonly refunded: Uuid
  readonly paid: Uuid
  readonly returned: Uuid
  readonly authorized: Uuid
  readonly cancelled: Uuid
}

const now = new Date()

/** Writes a small ledger with every kind of transfer, as the service does. */
export async function writeLedger(db: Database): Promise<LedgerFixture> {
  const { program_id } = await db.transaction((tx) => ensureFirstProgram(tx, { environment: 'sandbox', now }))
  const shop = { program_id, environment: 'sandbox', now, name: 'Shop', verified: true, published: true } as const
  const [made] = await createMerchants(db, shop)
  const merchant = await createAuthenticate(db)('private', made?.private_key)
  if (merchant === null) throw new Error('the merchant has no key')
  const earn = createEarn({ db, clock: new OffsetClock(), lock_window_s: 10 })

  async function buy(phone_number: string, order_number: string): Promise<Earning> {
    const [phone, total_halalas] = [parsePhone(phone_number), parseSar(100)]
    if (merchant === null || phone === null || total_halalas === null) throw new Error('an earning that is none')
    const ids = { order_uuid: newUuid(), transfer_id: newUuid(), event_id: newUuid(), customer_id: newUuid() }
    const points = pointsEarned(total_halalas, merchant.points_per_sar_e4)
    const nothing = { name: null, shipping_halalas: null, tax_halalas: null, discount_halalas: null }
    const json = { shipping_address: null, items: null, metadata: null, audit: null }
    const facts = { merchant, source: 'purchase', phone, order_number, total_halalas, points } as const
    const earning = { ...facts, ...nothing, ...json, ...ids }
    await earn(earning)
    return earning
  }

  const first = await buy('0511111111', '1')
  const second = await buy('0511111111', '2')
  await buy('0522222222', '3')
  const { customer_id: sara } = first
  const omar = await customerOf(db, program_id, '522222222')
  const scene = new Scene(db, { program_id, merchant_id: merchant.merchant_id, account: merchant.account_id })

  await scene.refund(second.order_uuid, { wallet: sara, kind: 'reverse', points: 250 })
  const paid = await scene.redeem(omar, { points: 200, end: 'post', status: 'approved', earned: 30 })
  const returned = await scene.redeem(omar, { points: 100, end: 'post', status: 'captured' })
  await scene.refund(returned, { wallet: omar, kind: 'return', points: 50 })
  const authorized = await scene.redeem(omar, { points: 300, status: 'authorized' })
  const cancelled = await scene.redeem(omar, { points: 400, end: 'release', status: 'cancelled' })
  const orders = { earned: first.order_uuid, refunded: second.order_uuid, paid, returned, authorized, cancelled }
  return { program_id, merchant: merchant.account_id, sara, omar, ...orders }
}

async function customerOf(db: Database, program_id: number, phone: string): Promise<Uuid> {
  const found = await db.one<{ customer_id: Uuid }>({
    text: 'select customer_id from customer where program_id = $1 and phone = $2',
    values: [program_id, phone],
  })
  if (found === undefined) throw new Error('a customer is missing')
  return found.customer_id
}

interface Redemption {
  readonly points: number
  readonly end?: 'post' | 'release'
  readonly status: 'approved' | 'captured' | 'authorized' | 'cancelled'
  readonly earned?: number
}

/** Writes holds, captures, releases and refunds. */
class Scene {
  readonly #db: Database
  readonly #of: { readonly program_id: number; readonly merchant_id: number; readonly account: Uuid }

  constructor(db: Database, of: { program_id: number; merchant_id: number; account: Uuid }) {
    this.#db = db
    this.#of = of
  }

  async redeem(wallet: Uuid, { points, end, status, earned = 0 }: Redemption): Promise<Uuid> {
    const { program_id, merchant_id, account: merchant } = this.#of
    const [order_uuid, hold_id] = [newUuid(), newUuid()]
    const paid = status === 'approved' || status === 'captured'
    await this.#db.transaction(async (tx) => {
      await tx.run({
        text: `insert into orders (program_id, order_uuid, merchant_id, customer_id, type, source, reference_number,
            order_number, order_status, total_halalas, total_points, earned_points, paid_at, created_at, updated_at,
            authorized_at)
          values ($1, $2, $3, $4, 2, 'checkout', $5, $6, $7, 10000, $8, $9, $10, $11, $11, $12)`,
        values: [
          ...[program_id, order_uuid, merchant_id, wallet, newReferenceNumber(), order_uuid.slice(-6), status],
          ...[points, earned, paid ? now : null, now, status === 'authorized' || status === 'captured' ? now : null],
        ],
      })
      const fact = { cause: hold_id, points: asPoints(points), wallet }
      const hold_transfer_id = await this.#post(tx, order_uuid, { kind: 'hold', ...fact })
      await tx.run({
        text: `insert into hold (program_id, hold_id, account_id, order_uuid, points, hold_transfer_id, created_at)
          values ($1, $2, $3, $4, $5, $6, $7)`,
        values: [program_id, hold_id, wallet, order_uuid, points, hold_transfer_id, now],
      })
      if (end !== undefined) {
        const ended =
          end === 'post' ? ({ kind: 'post', ...fact, merchant } as const) : { kind: 'release' as const, ...fact }
        const state = end === 'post' ? 'posted' : 'released'
        await tx.run({
          text: `update hold set state = $3, end_transfer_id = $4, ended_at = $5 where program_id = $1 and hold_id = $2`,
          values: [program_id, hold_id, state, await this.#post(tx, order_uuid, ended), now],
        })
      }
      if (earned > 0) {
        await this.#post(tx, order_uuid, {
          kind: 'earn',
          cause: order_uuid,
          points: asPoints(earned),
          wallet,
          merchant,
        })
      }
      enqueueEvents(tx, program_id, now, [this.#event(order_uuid, status, points)])
    })
    return order_uuid
  }

  async refund(order_uuid: Uuid, back: { wallet: Uuid; kind: 'reverse' | 'return'; points: number }): Promise<void> {
    const { program_id, account: merchant } = this.#of
    const column = back.kind === 'reverse' ? 'reversed_points' : 'returned_points'
    await this.#db.transaction(async (tx) => {
      const refund_uuid = newUuid()
      const fact = { cause: refund_uuid, points: asPoints(back.points), wallet: back.wallet, merchant }
      await this.#post(tx, order_uuid, { kind: back.kind, ...fact })
      const order = await tx.one<{ total_points: number }>({
        text: `update orders set order_status = 'partially_refunded', refunded_halalas = 2500, ${column} = $3
          where program_id = $1 and order_uuid = $2 returning total_points`,
        values: [program_id, order_uuid, back.points],
      })
      await tx.run({
        text: `insert into order_refund (program_id, refund_uuid, order_uuid, refund_halalas, reversed_points,
            returned_points, provider_halalas, provider_state, created_at)
          values ($1, $2, $3, 2500, $4, $5, 0, 'none', $6)`,
        values: [
          ...[program_id, refund_uuid, order_uuid, back.kind === 'reverse' ? back.points : 0],
          ...[back.kind === 'return' ? back.points : 0, now],
        ],
      })
      enqueueEvents(tx, program_id, now, [this.#event(order_uuid, 'refunded', order?.total_points ?? 0)])
    })
  }

  #event(order_uuid: Uuid, name: string, total_points: number) {
    const payload = JSON.stringify({ id: order_uuid, total_points })
    return { event_id: newUuid(), merchant_id: this.#of.merchant_id, order_uuid, name, payload }
  }

  async #post(tx: Transaction, order_uuid: Uuid, fact: LedgerFact): Promise<Uuid> {
    const { program_id } = this.#of
    const [transfer, transfer_id] = [transferOf(fact), newUuid()]
    const wallet = await tx.one<{ posted: number; held: number; version: number }>({
      text: 'select posted, held, version from account where program_id = $1 and account_id = $2 for no key update',
      values: [program_id, fact.wallet],
    })
    if (transfer === null || wallet === undefined) throw new Error('a scene without points or wallet')
    const { posted, held, version } = wallet
    const applied = applyEntries({ posted: asPoints(posted), held: asPoints(held), version }, transfer.entries)
    const row: TransferRow = {
      transfer_id,
      kind: transfer.kind,
      reference: transfer.reference,
      order_uuid,
      reason: null,
    }
    const entries = applied.entries.map(({ account, ...entry }, line): EntryRow => {
      const recorded = { kind: transfer.kind, micro_sar_per_point: 5_000, booked_at: null }
      return { ...entry, ...recorded, transfer_id, line, account_id: account.account_id }
    })
    post(tx, { program_id, now, transfers: [row], entries, wallets: [{ account_id: fact.wallet, ...applied.wallet }] })
    return transfer_id
  }
}
