import { expect, test } from 'vitest'
import { type Limit, testLimits } from '../../src/domain/limit.ts'
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

const mostOf = ({ rules }: Limit) => rules[0]?.most ?? 0

async function ownerOfShop() {
  const { program_id, merchant_id } = await makeMerchant(started().db)
  return { merchant_id, owner: await makePerson(started(), { program_id, merchant_id, role: 'owner' }) }
}

async function statusesOf(ask: () => Promise<{ readonly status: number }>, times: number): Promise<number[]> {
  const statuses = []
  for (let asked = 0; asked < times; asked += 1) statuses.push((await ask()).status)
  return statuses
}

// What went wrong: each test of the payment settings queries the provider, and nothing limited them. An owner could make it
// refuse the account that all merchants of the deployment share.
test('the owners of a merchant test its payment a few times an hour', async () => {
  const standIn = await startMoyasar(secret_key)
  url = standIn.url
  const { merchant_id, owner } = await ownerOfShop()
  const ask = () => owner.call('POST', `/merchants/${merchant_id}/payment/test`, {})
  const most = mostOf(testLimits.payment)
  expect(await statusesOf(ask, most + 1)).toEqual([...Array<number>(most).fill(200), 429])
  await standIn.close()
})

// What went wrong: tests of webhooks were not counted. Each leaves an event, a delivery and a row of the audit log.
test('the staff of a merchant may test its webhooks a few times an hour; a refusal says when to retry', async () => {
  const { merchant_id, owner } = await ownerOfShop()
  const webhooks = `/merchants/${merchant_id}/webhooks`
  const { body } = await owner.call('POST', webhooks, { name: 'Shop', url: 'https://shop.example/hook' })
  const ask = () => owner.call('POST', `${webhooks}/${(body.data as { uuid: string }).uuid}/test`, {})
  const most = mostOf(testLimits.webhook)
  expect(await statusesOf(ask, most)).toEqual(Array<number>(most).fill(200))
  const refused = await ask()
  expect([refused.status, refused.body.appended_data]).toEqual([429, { retry_after_s: expect.any(Number) }])
  await database.owner.run({ text: 'delete from delivery_queue where merchant_id = $1', values: [merchant_id] })
})
