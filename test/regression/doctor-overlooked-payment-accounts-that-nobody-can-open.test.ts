import { expect, test } from 'vitest'
import { checkPaymentAccounts } from '../../src/doctor/payment-accounts.ts'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import { setAccount } from '../../src/features/merchants/payment-credentials.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { nuqta, scratch } from '../cli/command.ts'
import { makeMerchant } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { secret_key } from '../support/secret-key.ts'

// What went wrong: `nuqta doctor` compared the secret key with the canary alone. Credentials of a merchant that were sealed under a
// key that is gone, which no payment of theirs can do without, were no finding.

const database = testDatabase()
const { path: cwd } = scratch()
const lost = createSecretBox('another-secret-key-of-forty-characters-or-so')
const ours = createSecretBox(secret_key)
const check = 'payment accounts'

test('accounts that neither key opens are a finding, which names them and no secret', async () => {
  await claimDeployment(database.db, 'sandbox')
  const env = { DATABASE_URL: database.url, NUQTA_SECRET_KEY: secret_key }
  const found = async () =>
    (await nuqta(['doctor', '--json'], { cwd, env })).json.filter((one) => one['check'] === check)
  expect(await found()).toEqual([])

  const first = await makeMerchant(database.db)
  const account = { provider: 'moyasar', secret_key: 'sk_of_moyasar', webhook_secret: 'ws_of_moyasar' } as const
  await setAccount({ db: database.db, secrets: ours }, first, account)
  expect(await found()).toEqual([{ check, ok: true, detail: '1 account can be opened' }])

  const second = await makeMerchant(database.db)
  await setAccount({ db: database.db, secrets: lost }, second, account)
  const { program_id, merchant_id } = second
  const finding = {
    check,
    ok: false,
    detail: `1 of 2 cannot be opened with the secret key: moyasar of the merchant ${merchant_id} in the program ${program_id}`,
    advice:
      'Set NUQTA_SECRET_KEY_OLD to the key that sealed them and run nuqta secrets rotate, or set them anew with nuqta merchant payment.',
  }
  expect(await found()).toEqual([finding])
  // Of the first one alone.
  expect(await checkPaymentAccounts(database.db, ours, 1)).toMatchObject([
    { detail: 'the first 1 account can be opened' },
  ])
  expect(
    await checkPaymentAccounts(
      database.db,
      createSecretBox(secret_key, 'another-secret-key-of-forty-characters-or-so'),
    ),
  ).toMatchObject([{ ok: true }])
})
