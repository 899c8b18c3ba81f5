import { expect, it } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { wordsOf } from '../support/shopper.ts'
import { walletStage } from '../support/wallet-stage.ts'

// Whoever kept the address of the wallet after joining read "Your wallet is open, and what was waiting for you is in it" each
// time, with the points of that day.

const stage = walletStage(testDatabase({ leaves: ['due messages'] }))

it.each([
  ['a while after joining', () => `&until=${Date.now() - 1}`],
  ['without a time', () => ''],
  ['with a time that somebody made up', () => '&until=9999999999999'],
])('the wallet does not welcome again: %s', async (_name, until) => {
  const phone = freshPhone()
  await stage.customer(phone).buy(stage.cafe, 10_000)
  const me = await stage.signedIn(phone)
  const home = wordsOf(await me.open('/wallet'))
  expect(home).toContain('Points to spend 1,000')
  expect(wordsOf(await me.open(`/wallet?note=joined${until()}`))).not.toContain('Your wallet is open')
})
