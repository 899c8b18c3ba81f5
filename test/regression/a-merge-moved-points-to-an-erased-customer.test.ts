import { beforeAll, expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { eraseNow } from '../../src/features/erasure/service.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults, testApp } from '../support/api.ts'
import { oneShop, type Shop } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { makePerson, type Person } from '../support/staff.ts'
import { waitForLocks } from '../support/wait.ts'

// After waiting for a wallet, the service read the wallet again, but not its customer. A merge after an erasure gave all
// points to nobody, or moved the points of an erased customer.

const database = testDatabase()
const app = testApp(database)
let shop: Shop
let sara: Person
beforeAll(async () => {
  shop = await oneShop(database.db)
  sara = await makePerson(app(), 'operator')
})

const customer = async (points: number) => {
  const phone = (await customerWith(database.db, shop.merchant, { points })) as Phone
  const found = await walletOf(database.db, shop.merchant.program_id, phone)
  return { phone, id: found?.customer_id as Uuid }
}

it('an operation that waits for an erasure finds no customer afterwards', async () => {
  const { program_id } = shop.merchant
  const [erased, other] = [await customer(30), await customer(5)]
  const parts = { owner: database.owner, secrets: createSecretBox(defaults.secret_key) }
  const path = (id: Uuid, change: string) => `/programs/${program_id}/customers/${id}/${change}`
  const known = { program_id, customer_id: erased.id, phone: erased.phone }
  const by = { source: 'command', name: 'Sara' } as const
  const waiting: ReturnType<Person['call']>[] = []
  await database.owner.transaction(async (tx) => {
    await eraseNow(tx, { ...parts, by }, known)
    waiting.push(
      sara.call('POST', path(other.id, 'merge'), { phone: erased.phone }),
      sara.call('POST', path(erased.id, 'merge'), { phone: other.phone }),
      sara.call('POST', path(erased.id, 'block'), { reason: 'Stolen' }),
      sara.call('POST', path(erased.id, 'erasure'), { phone: erased.phone, reason: 'Asked' }),
    )
    await waitForLocks(database.owner, 4)
  })
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([422, 404, 404, 404])
  expect((await walletOf(database.db, program_id, other.phone))?.posted).toBe(5)
})
