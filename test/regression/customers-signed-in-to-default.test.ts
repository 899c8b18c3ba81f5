import { beforeAll, expect, it } from 'vitest'
import { asPoints } from '../../src/domain/points.ts'
import { testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { keptMessages } from '../support/messages.ts'
import { customerWith } from '../support/orders.ts'
import { Shopper, wordsOf } from '../support/shopper.ts'
import { agreed, makeWalletProgram, signedIn } from '../support/wallets.ts'

// The first program of a deployment is called Default until somebody names it. Its pages kept that from customers, its
// messages and statements did not.

const database = testDatabase()
const { sms, messages } = keptMessages()
const app = testApp(database, { sms })
let program: Awaited<ReturnType<typeof makeWalletProgram>>

beforeAll(async () => {
  program = await makeWalletProgram(database, 'Default', ['Corner Café'])
})

const shopper = (locale: 'ar' | 'en') =>
  new Shopper(app().send, 'https://localhost:8443', { 'accept-language': locale })

it.each([
  ['en', 'is your code to sign in to Points wallet.'],
  ['ar', 'رمز الدخول إلى محفظة النقاط.'],
] as const)('the code of a wallet whose program has no name yet names the wallet: %s', async (locale, text) => {
  const me = shopper(locale)
  await me.submit(await me.open(`/wallet?program=${program.program_id}`), 'phone', { phone: freshPhone() })
  expect(messages.at(-1)).toContain(text)
})

it('the statement of a program without a name names none', async () => {
  const [store] = program.stores
  if (store === undefined) throw new Error('a store is there')
  const phone = await customerWith(database.db, store, { points: asPoints(100) })
  await agreed(database, program.program_id, phone)
  const me = await signedIn(app().services, shopper('ar'), { program_id: program.program_id, phone })
  const words = wordsOf(await me.open(`/wallet/statement?program=${program.program_id}`))
  expect(words).toContain('كشف النقاط')
  expect(words).not.toContain('Default')
})
