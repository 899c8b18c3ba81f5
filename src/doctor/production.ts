import type { Config } from '../config/config.ts'
import type { Queryable } from '../db/pool.ts'
import { serviceRole } from '../db/server-info.ts'
import { isTestKey } from '../domain/merchant.ts'
import { type Finding, ok, problem } from './finding.ts'

/** Whether the role of the service could alter the ledger. No finding where it cannot. */
export async function checkRole(db: Queryable): Promise<Finding[]> {
  const role = await serviceRole(db)
  const check = 'role'
  if (role.is_superuser)
    return [
      problem(
        check,
        `the service connects as ${role.name}, who may do everything on the database server`,
        'Let DATABASE_URL name a role of few rights, and NUQTA_MIGRATION_URL the owner of the tables, as docs/production.md says.',
      ),
    ]
  if (!role.is_owner) return []
  return [ok(check, `the service connects as ${role.name}, the owner of the tables, who can alter the ledger`)]
}

/** Whether payments of real orders would go to a provider's test account. */
export function checkTestKeys({ moyasar }: Config['payment']): Finding[] {
  if (moyasar.account === undefined || !isTestKey(moyasar.account.secret_key)) return []
  const advice = 'Set NUQTA_PAYMENT_MOYASAR_SECRET_KEY to the live key, which begins with sk_live_.'
  return [problem('payments', "the key of Moyasar is a test key: customers' cards are not charged", advice)]
}
