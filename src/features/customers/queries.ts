import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Statement } from '../../db/statement.ts'
import type { EarningSource } from '../../domain/earning.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Halalas } from '../../domain/money.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Points } from '../../domain/points.ts'

export interface WalletOfPhone {
  readonly phone: Phone
  readonly status: 'invited' | 'active'
  readonly posted: number
  readonly held: number
}

/** A customer's wallet by phone. */
export function findWallet(program_id: number, phone: Phone): CompiledQuery<WalletOfPhone> {
  return builder
    .selectFrom('customer as c')
    .innerJoin('account as a', (join) =>
      join.onRef('a.program_id', '=', 'c.program_id').onRef('a.account_id', '=', 'c.customer_id'),
    )
    .select(['c.phone', 'c.status', 'a.posted', 'a.held'])
    .where('c.program_id', '=', program_id)
    .where('c.phone', '=', phone)
    .$castTo<WalletOfPhone>()
    .compile()
}

export interface FreshCustomer {
  readonly customer_id: Uuid
  readonly phone: string
  readonly status: 'invited' | 'active'
}

/** Makes customers without names; their wallets are the ledger's to make. */
export function insertFreshCustomers(
  program_id: number,
  now: Date,
  customers: readonly FreshCustomer[],
): Statement<never> {
  return {
    text: `insert into customer (program_id, customer_id, phone, status, created_at, activated_at)
      select $1::bigint, c.customer_id, c.phone, c.status, $2, case when c.status = 'active' then $2::timestamptz end
      from unnest($3::uuid[], $4::text[], $5::text[]) as c(customer_id, phone, status)`,
    values: [
      program_id,
      now,
      customers.map(({ customer_id }) => customer_id),
      customers.map(({ phone }) => phone),
      customers.map(({ status }) => status),
    ],
  }
}

/** A customer whose wallet is locked. */
export interface LockedCustomer {
  readonly customer_id: Uuid
  readonly account_id: Uuid
  readonly phone: Phone
  readonly status: 'invited' | 'active'
  readonly posted: Points
  readonly held: Points
  readonly version: number
}

/** Locks the wallet of a phone, and with it every earning and activation of the customer. */
export function lockCustomer(program_id: number, phone: Phone): Statement<LockedCustomer> {
  return {
    text: `select c.customer_id, a.account_id, c.phone, c.status, a.posted, a.held, a.version
      from customer c join account a on a.program_id = c.program_id and a.account_id = c.customer_id
      where c.program_id = $1 and c.phone = $2 for no key update of a`,
    values: [program_id, phone],
  }
}

/** Makes an invited customer active. */
export function activateInvited(program_id: number, customer_id: Uuid, now: Date): CompiledQuery<unknown> {
  return builder
    .updateTable('customer')
    .set({ status: 'active', activated_at: now })
    .where('program_id', '=', program_id)
    .where('customer_id', '=', customer_id)
    .where('status', '=', 'invited')
    .compile()
}

/** An earning that waits for its customer, with the account of its merchant. */
export interface PendingRow {
  readonly pending_uuid: Uuid
  readonly merchant_id: number
  readonly merchant_account_id: Uuid
  readonly source: EarningSource
  readonly order_number: string
  readonly total_halalas: Halalas
  readonly total_points: Points
  readonly metadata: object | null
}

/** The earnings that wait for a customer, the oldest first. */
export function findPendingOf(program_id: number, customer_id: Uuid): CompiledQuery<PendingRow> {
  return builder
    .selectFrom('pending_earning as p')
    .innerJoin('merchant as m', (join) =>
      join.onRef('m.program_id', '=', 'p.program_id').onRef('m.merchant_id', '=', 'p.merchant_id'),
    )
    .select([
      'p.pending_uuid',
      'p.merchant_id',
      'm.account_id as merchant_account_id',
      'p.source',
      'p.order_number',
      'p.total_halalas',
      'p.total_points',
      'p.metadata',
    ])
    .where('p.program_id', '=', program_id)
    .where('p.customer_id', '=', customer_id)
    .where('p.order_uuid', 'is', null)
    .orderBy('p.created_at')
    .orderBy('p.pending_uuid')
    .$castTo<PendingRow>()
    .compile()
}

/** Writes the orders that pending earnings become: `approved`, with their own uuids, at the points recorded. */
export function insertOrdersOfPending(
  program_id: number,
  now: Date,
  orders: readonly { readonly order_uuid: Uuid; readonly reference_number: string }[],
): Statement<never> {
  return {
    text: `insert into orders (program_id, order_uuid, merchant_id, customer_id, type, source, reference_number,
        order_number, order_status, total_halalas, total_points, earned_points, shipping_halalas, tax_halalas,
        discount_halalas, shipping_address, items, metadata, paid_at, created_at, updated_at)
      select p.program_id, p.pending_uuid, p.merchant_id, p.customer_id, 1, p.source, n.reference_number,
        p.order_number, 'approved', p.total_halalas, p.total_points, p.total_points, p.shipping_halalas, p.tax_halalas,
        p.discount_halalas, p.shipping_address, p.items, p.metadata, $2::timestamptz, $2::timestamptz, $2::timestamptz
      from unnest($3::uuid[], $4::text[]) as n(pending_uuid, reference_number)
      join pending_earning p on p.program_id = $1 and p.pending_uuid = n.pending_uuid and p.order_uuid is null`,
    values: [
      program_id,
      now,
      orders.map(({ order_uuid }) => order_uuid),
      orders.map(({ reference_number }) => reference_number),
    ],
  }
}

/** Notes that pending earnings have become orders. */
export function endPending(program_id: number, uuids: readonly Uuid[]): Statement<never> {
  return {
    text: `update pending_earning set order_uuid = pending_uuid
      where program_id = $1 and pending_uuid = any($2::uuid[]) and order_uuid is null`,
    values: [program_id, uuids],
  }
}
