import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Locale } from '../../domain/text.ts'

export interface MetCustomer {
  readonly customer_id: Uuid
  readonly status: 'invited' | 'active'
  readonly name: string | null
}

/** Whoever has a phone in a program. */
export function findCustomer(program_id: number, phone: Phone): CompiledQuery<MetCustomer> {
  return builder
    .selectFrom('customer')
    .select(['customer_id', 'status', 'name'])
    .where('program_id', '=', program_id)
    .where('phone', '=', phone)
    .$castTo<MetCustomer>()
    .compile()
}

/** Writes the name that an invited customer gave; one who is active already keeps a name. */
export function nameOnboarded(program_id: number, customer_id: Uuid, name: string): Statement<never> {
  return {
    text: `update customer set name = $3
      where program_id = $1 and customer_id = $2 and (status = 'invited' or name is null)`,
    values: [program_id, customer_id, name],
  }
}

export interface Consent {
  readonly program_id: number
  readonly consent_uuid: Uuid
  readonly customer_id: Uuid
  readonly terms_version: string
  readonly locale: Locale
  readonly source: 'checkout' | 'wallet'
  readonly created_at: Date
}

/** Records a consent; the first to a version stays. */
export function insertConsent(consent: Consent): CompiledQuery<unknown> {
  return builder
    .insertInto('consent')
    .values(consent)
    .onConflict((conflict) => conflict.columns(['program_id', 'customer_id', 'terms_version']).doNothing())
    .compile()
}
