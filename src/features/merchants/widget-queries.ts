import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'

/** The public key of the merchant that was made first; its private one is known to nobody here. */
export function findFirstPublicKey(): CompiledQuery<{ public_key: string }> {
  return builder
    .selectFrom('api_key as k')
    .innerJoin('merchant as m', (join) =>
      join.onRef('m.program_id', '=', 'k.program_id').onRef('m.merchant_id', '=', 'k.merchant_id'),
    )
    .select('k.public_key')
    .orderBy('m.created_at')
    .orderBy('m.merchant_id')
    .limit(1)
    .compile()
}
