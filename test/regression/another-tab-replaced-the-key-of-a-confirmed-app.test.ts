import { expect, test } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, staffBrowser } from '../support/staff.ts'
import { codeApp } from '../support/totp.ts'
import { waitForLocks } from '../support/wait.ts'

// Somebody who began to set up an app in one tab, at the moment in which another tab confirmed theirs, replaced its key: no
// code of the app was right any more, and only a recovery code let its owner in.

const database = testDatabase()
const started = testApp(database)
const password = 'kettle grants tuesday'

test('an app that is confirmed keeps its key', async () => {
  const app = started()
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const sara = await makePerson(app, { program_id, merchant_id, role: 'owner' }, password)
  const begun = (await sara.call('POST', '/account/totp/begin')).body.data as { secret: string }
  const device = codeApp(begun.secret)
  const sent: ReturnType<typeof sara.call>[] = []
  await database.owner.transaction(async (tx) => {
    await tx.run({ text: 'select from staff where staff_uuid = $1 for update', values: [sara.staff_uuid] })
    sent.push(sara.call('POST', '/account/totp/confirm', { code: device.next() }))
    await waitForLocks(database.owner, 1)
    sent.push(sara.call('POST', '/account/totp/begin'))
    await waitForLocks(database.owner, 2)
  })
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 409])
  const elsewhere = staffBrowser(app)
  expect((await elsewhere.call('POST', '/sign-in', { email: sara.email, password })).status).toBe(200)
  expect((await elsewhere.call('POST', '/sign-in/second-factor', { code: device.next() })).status).toBe(200)
})
