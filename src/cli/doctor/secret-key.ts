import type { Database } from '../../db/pool.ts'
import { fitOf } from '../../features/deployment/canary.ts'
import { hasFormerlySealed } from '../../features/deployment/secret-key-rotation.ts'
import { newSecretText } from '../../lib/ids.ts'
import { createSecretBox } from '../../lib/secrets.ts'
import { type Finding, ok, problem } from './finding.ts'

const check = 'secret key'

/** Whether the secret key is the one of a database that has been started, and whether a change of it is done. */
export async function checkSecretKey(
  db: Database,
  { secret_key, secret_key_old }: { readonly secret_key: string | null; readonly secret_key_old: string | undefined },
): Promise<Finding> {
  if (secret_key === null) {
    if ((await fitOf(db, createSecretBox(newSecretText()))) === 'nothing sealed')
      return ok(check, 'made at the first start')
    const advice = 'Set NUQTA_SECRET_KEY to what the service has, or put secret.key back into the data directory.'
    return problem(check, 'there is none', advice)
  }
  const secrets = createSecretBox(secret_key, secret_key_old)
  const fit = await fitOf(db, secrets)
  if (fit === 'foreign')
    return problem(
      check,
      'it is not the one of this database: stored secrets cannot be opened',
      'Set NUQTA_SECRET_KEY, or secret.key in the data directory, to what it was when the service first started.',
    )
  if (secrets.former === undefined)
    return ok(check, fit === 'fits' ? 'it is that of the database' : 'nothing is sealed yet')
  if (fit === 'former' || (await hasFormerlySealed({ db, secrets })))
    return problem(check, 'stored secrets are still sealed under the former one', 'Run nuqta secrets rotate.')
  return ok(
    check,
    'nothing is sealed under the former one any more: a day after the change NUQTA_SECRET_KEY_OLD can be removed',
  )
}
