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

// What went wrong: the form for joining showed the name from the store to whoever proved any phone.
// Anybody with the link and another phone could read the customer's name.
test('a name that the store sent with a number is shown only to the customer who proves that number', async () => {
  const phone_number = `0${freshPhone()}`
  expect(await nameFor({ phone_number }, phone_number)).toBe('Noura Alqahtani')
  expect(await nameFor({ phone_number }, freshPhone())).toBe('')
})

test('a name without a number is offered to the customer who joins', async () => {
  expect(await nameFor({}, freshPhone())).toBe('Noura Alqahtani')
})
