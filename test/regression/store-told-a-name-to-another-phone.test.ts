import { expect, test } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { formOf, titleOf } from '../support/shopper.ts'

const database = testDatabase()
const stage = checkoutStage(database)

const nameFor = async (asked: Readonly<Record<string, unknown>>, phone: string) => {
  const { path } = await stage.open({ name: 'Noura Alqahtani', ...asked })
  const page = await stage.prove(stage.shopper(), path, phone)
  expect(titleOf(page)).toBe('Welcome · Shop')
  return formOf(page, 'join').fields['name']
}

// What went wrong: the form for joining was filled in with the name that the store had given, whoever's phone was proven.
// Anybody with the link and a phone of their own read the name of the customer for whom it was made.
test('the name that a store gives with a number is shown only to the customer who proves that number', async () => {
  const phone_number = `0${freshPhone()}`
  expect(await nameFor({ phone_number }, phone_number)).toBe('Noura Alqahtani')
  expect(await nameFor({ phone_number }, freshPhone())).toBe('')
})

test('a name without a number is offered to the customer who joins', async () => {
  expect(await nameFor({}, freshPhone())).toBe('Noura Alqahtani')
})
