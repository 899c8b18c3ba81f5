import type { Config } from '../config/config.ts'
import type { Database } from '../db/pool.ts'
import { isTestKey } from '../domain/merchant.ts'
import { fitOf } from '../features/deployment/canary.ts'
import { tryAccounts } from '../features/merchants/payment-credentials.ts'
import { counted } from '../lib/counted.ts'
import type { SecretBox } from '../lib/secrets.ts'
import { type Finding, ok, problem } from './finding.ts'

const check = 'payment accounts'
/** How many are opened: more would keep an operator waiting. */
const most_tried = 1_000
const most_named = 5

/**
 * Opens merchants' own credentials, without which no payment of theirs can be begun or given back. No finding where there are
 * none, or where the secret key is not the database's, which says more.
 */
export async function checkPaymentAccounts(db: Database, secrets: SecretBox, most = most_tried): Promise<Finding[]> {
  if ((await fitOf(db, secrets)) === 'foreign') return []
  const { tried, closed } = await tryAccounts({ db, secrets }, most)
  if (tried === 0) return []
  if (closed.length === 0)
    return [ok(check, `${tried < most ? '' : 'the first '}${counted(tried, 'account')} can be opened`)]
  const named = closed
    .slice(0, most_named)
    .map(
      ({ program_id, merchant_id, provider }) =>
        `${provider} of the merchant ${merchant_id} in the program ${program_id}`,
    )
  if (closed.length > most_named) named.push(`and ${closed.length - most_named} more`)
  return [
    problem(
      check,
      `${closed.length} of ${tried} cannot be opened with the secret key: ${named.join(', ')}`,
      'Set NUQTA_SECRET_KEY_OLD to the key that sealed them and run nuqta secrets rotate, or set them anew with nuqta merchant payment.',
    ),
  ]
}

/** Whether payments of real orders would go to a provider's test account. */
export function checkTestKeys({ moyasar }: Config['payment']): Finding[] {
  if (moyasar.account === undefined || !isTestKey(moyasar.account.secret_key)) return []
  const advice = 'Set NUQTA_PAYMENT_MOYASAR_SECRET_KEY to the live key, which begins with sk_live_.'
  return [problem('payments', "the key of Moyasar is a test key: customers' cards are not charged", advice)]
}
