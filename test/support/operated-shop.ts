import { beforeAll } from 'vitest'
import { makeMerchant, testApp } from './api.ts'
import { testDatabase } from './database.ts'
import { portOfPages } from './port.ts'
import { makePerson } from './staff.ts'

/**
 * Makes a shop, and an operator who looks at its dashboard, before the tests of a file. Use `app`, `shop` and `viewer` in tests and
 * later hooks only.
 */
export async function operatedShop() {
  const port = await portOfPages()
  const origin = `https://localhost:${port}`
  const app = testApp(testDatabase(), { port, public_url: origin })
  const make = async () => ({ shop: await makeMerchant(app().db), viewer: await makePerson(app(), 'operator') })
  let made: Awaited<ReturnType<typeof make>> | undefined
  beforeAll(async () => {
    made = await make()
  })
  const ready = () => {
    if (made === undefined) throw new Error('the shop is made before the tests: use it in tests only')
    return made
  }
  return { origin, app, shop: () => ready().shop, viewer: () => ready().viewer }
}
