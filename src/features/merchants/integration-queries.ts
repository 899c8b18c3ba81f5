import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'

/** Sets the flag of a merchant's key pair; gives nothing when the pair was replaced at the same moment. */
export function updateIntegration(
  { program_id, merchant_id }: { readonly program_id: number; readonly merchant_id: number },
  integration_active: boolean,
): CompiledQuery<{ integration_active: boolean }> {
  return builder
    .updateTable('api_key')
    .set({ integration_active })
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .returning('integration_active')
    .compile()
}
