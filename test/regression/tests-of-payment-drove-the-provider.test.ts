import { expect, test } from 'vitest'
import { payment_tests_per_hour } from '../../src/features/merchants/settings.ts'
import { createMoyasar } from '../../src/providers/payment/moyasar.ts'
import { startMoyasar } from '../providers/moyasar-stand-in.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson } from '../support/staff.ts'

const secret_key = 'sk_test_of-this-shop'
let url = ''
const database = testDatabase()
const started = testApp(database, {
  payments: { of: async () => createMoyasar({ secret_key, webhook_secret: 'w', url, timeout_ms: 2_000 }) },
})

// What went wrong: each test of the payment settings asks the provider, and nothing counted them. An owner could have it refuse
// the account that all merchants of the deployment share.
test('the owners of a merchant test its payment a few times an hour', async () => {
  const app = started()
  const standIn = await startMoyasar(secret_key)
  url = standIn.url
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const owner = await makePerson(app, { program_id, merchant_id, role: 'owner' })
  const ask = async () => (await owner.call('POST', `/merchants/${merchant_id}/payment/test`, {})).status
  const statuses = []
  for (let asked = 0; asked < payment_tests_per_hour + 1; asked += 1) statuses.push(await ask())
  expect(statuses).toEqual([...Array<number>(payment_tests_per_hour).fill(200), 429])
  await standIn.close()
})
