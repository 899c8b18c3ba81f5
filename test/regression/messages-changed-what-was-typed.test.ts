import { beforeAll, expect, test } from 'vitest'
import { readPhone, showWallet } from '../../src/features/customers/service.ts'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import { activateCustomer } from '../../src/features/earning/activation.ts'
import { showOrder } from '../../src/features/orders/list.ts'
import { showDelivery } from '../../src/features/webhooks/log.ts'
import { findAnyWebhook } from '../../src/features/webhooks/rotation.ts'
import { nuqta, scratch } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'

// What went wrong: messages changed typed input: they capitalised it at the start of a sentence, wrote an id in small
// letters, and reformatted a phone. A search for the typed text then finds nothing.

const database = testDatabase()
const { path: home } = scratch()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const uuid = '0193E7A1-4B2C-7DEF-8123-456789ABCDEF'

beforeAll(async () => {
  await claimDeployment(database.db, 'sandbox')
})

test('a message repeats the input as it was typed', async () => {
  const { db } = database
  await expect(showDelivery(db, uuid)).rejects.toThrow(`There is no delivery ${uuid}.`)
  await expect(showOrder(db, uuid, clock.now())).rejects.toThrow(`There is no order ${uuid}.`)
  await expect(findAnyWebhook(db, uuid)).rejects.toThrow(`There is no webhook ${uuid}.`)
  const typed = '+966 51-234-5678'
  await expect(showWallet(db, 1, typed)).rejects.toThrow(`has the phone ${typed}.`)
  const customer = { program_id: 1, phone: readPhone(typed), typed }
  await expect(activateCustomer(db, clock, customer)).rejects.toThrow(`has the phone ${typed}.`)
})

test('the command line does not capitalise it', async () => {
  const env = { DATABASE_URL: database.url }
  const { code, stderr } = await nuqta(['deliveries', 'show', 'my-Delivery'], { cwd: home, env })
  expect([code, stderr]).toEqual([1, 'my-Delivery is not the id of a delivery.\n'])
})
