import { expect, it } from 'vitest'
import { checkoutStage, resetLimits } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { titleOf } from '../support/shopper.ts'

// A remembered browser spends points without a code, up to a limit in a day, and those of a choice that is taken back do not
// count. They did if the choice was taken back in another browser, after a code: the session then named no remembered browser.

const database = testDatabase()
const stage = checkoutStage(database)

it('a choice that is taken back in another browser leaves the limit as it was', async () => {
  const phone = freshPhone()
  await customerWith(database.db, stage.shop.merchant, { points: 800, phone })
  const [me, other] = [stage.shopper(), stage.shopper()]
  const first = await stage.prove(me, (await stage.open({ phone_number: phone })).path, phone)
  await me.submit(first, 'confirm', { use: 'none', remember: 'yes' })
  await resetLimits(database)

  const { path } = await stage.open({ phone_number: phone })
  const reserved = await me.submit(await me.open(path), 'confirm', { use: 'part', amount: '700' })
  expect(titleOf(reserved)).toBe('Your points are reserved · Shop')
  await other.submit(await stage.prove(other, path, phone), 'change')
  expect(await stage.balanceOf(phone)).toEqual([800, 0])

  const next = await me.open((await stage.open({ phone_number: phone })).path)
  expect(titleOf(next)).toBe('Use your points · Shop')
})
