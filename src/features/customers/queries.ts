import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'

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
      select $1, c.customer_id, c.phone, c.status, $2, case when c.status = 'active' then $2::timestamptz end
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
