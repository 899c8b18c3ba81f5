import { expect, it } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { keptMessages } from '../support/messages.ts'
import { Shopper } from '../support/shopper.ts'

const database = testDatabase()
const { sms, messages } = keptMessages()
const app = testApp(database, { sms })

async function messageIn(locale: 'ar' | 'en', public_key: string, phone: Phone): Promise<string | undefined> {
  const me = new Shopper(app().send, 'https://localhost:8443', { 'accept-language': locale })
  await me.submit(await me.open(`/widget/${public_key}/window`), 'phone', { phone })
  return messages.at(-1)
}

// The code of a checkout named the store in the reader's language, and the code of the card in its default language.
it('the code of a card names the store in the language of the message', async () => {
  const { public_key, merchant_id, program_id } = await makeMerchant(database.db)
  await database.owner.run({
    text: "update merchant set name = 'Corner Café', name_ar = 'مقهى الزاوية' where program_id = $1 and merchant_id = $2",
    values: [program_id, merchant_id],
  })
  expect(await messageIn('en', public_key, freshPhone())).toContain('sign in to Corner Café')
  expect(await messageIn('ar', public_key, freshPhone())).toContain('رمز الدخول إلى مقهى الزاوية')
})
