import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'

const database = testDatabase()
const stage = checkoutStage(database)

// A cookie holds five tokens, for a family. Ended ones took places, and the valid token of another person was lost.
it('a browser remembers everybody still when one of them ends it and asks again, however often', async () => {
  const { rememberedBrowsers } = stage.app.services
  const { program_id } = stage.shop.merchant
  const person = async () => {
    const phone = await customerWith(database.db, stage.shop.merchant, { points: 100 })
    const customer_id = (await walletOf(database.db, program_id, phone))?.customer_id as Uuid
    return { program_id, phone, customer_id, device: null }
  }
  const [mother, daughter] = [await person(), await person()]
  let cookie = await rememberedBrowsers.remember({ ...mother, cookie: undefined })
  for (let times = 0; times < 5; times += 1) {
    cookie = await rememberedBrowsers.remember({ ...daughter, cookie })
    const listed = await rememberedBrowsers.list(program_id, daughter.customer_id)
    const ids = listed.map(({ remembered_uuid }) => remembered_uuid)
    if (times < 4) await rememberedBrowsers.end(program_id, daughter.customer_id, ids)
  }
  const phones = (await rememberedBrowsers.read(cookie, program_id)).map(({ phone }) => phone)
  expect(phones.sort()).toEqual([mother.phone, daughter.phone].sort())
})
