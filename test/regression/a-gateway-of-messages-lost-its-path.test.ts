import { expect, test } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import { createTaqnyat } from '../../src/providers/sms/taqnyat.ts'
import { createUnifonic } from '../../src/providers/sms/unifonic.ts'
import { testStandIn } from '../providers/stand-in.ts'

// Of `NUQTA_SMS_URL` the path was dropped without a word, so that messages went to another place of the gateway. The addresses
// of all other providers keep theirs.

const standIn = testStandIn()

const sms = { phone: '512345678' as Phone, text: 'a code' }

test.each([
  ['', ''],
  ['/', ''],
  ['/gateway/sms', '/gateway/sms'],
  ['/gateway/sms/', '/gateway/sms'],
])('below %j messages go to %j', async (path, below) => {
  const account = { key: 'a key', sender: 'Nuqta', url: standIn().url + path }
  standIn().received.length = 0
  for (const sender of [createTaqnyat(account), createUnifonic(account)]) await sender.send(sms)
  expect(standIn().received.map(({ url }) => url)).toEqual([`${below}/v1/messages`, `${below}/rest/SMS/messages`])
})

test('the whole address of the provider may be given', async () => {
  standIn().received.length = 0
  await createTaqnyat({ key: 'a key', sender: 'Nuqta', url: `${standIn().url}/v1/messages` }).send(sms)
  expect(standIn().received.map(({ url }) => url)).toEqual(['/v1/messages'])
})
