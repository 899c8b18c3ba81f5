import { beforeAll, expect, test } from 'vitest'
import { readAppCode } from '../../src/domain/sign-in.ts'
import { dataOf } from '../http/client.ts'
import { type App, makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, staffBrowser } from '../support/staff.ts'
import { codeApp } from '../support/totp.ts'

// An Arabic keyboard writes ١٢٣ for 123. The dashboard answered that a right code of the app, typed so, was not right, and
// counted a wrong try, while the customer's pages took their codes in any digits.

const database = testDatabase()
const started = testApp(database)
let app: App
beforeAll(() => {
  app = started()
})

const password = 'kettle grants tuesday'
const inArabic = (text: string): string => text.replace(/[0-9]/g, (digit) => String.fromCharCode(0x660 + Number(digit)))

test('a code of the app and a recovery code may be typed in Arabic digits', async () => {
  const person = await makePerson(app, { ...(await makeMerchant(app.db)), role: 'owner' }, password)
  const begun = await person.call('POST', '/account/totp/begin')
  const phone = codeApp(String(dataOf(begun)['secret']))
  const confirmed = await person.call('POST', '/account/totp/confirm', { code: inArabic(phone.next()) })
  expect(confirmed.status).toBe(200)
  const [recovery] = dataOf(confirmed)['recovery_codes'] as string[]
  for (const code of [inArabic(phone.next()), inArabic(String(recovery))]) {
    const browser = staffBrowser(app)
    await browser.call('POST', '/sign-in', { email: person.email, password })
    expect((await browser.call('POST', '/sign-in/second-factor', { code })).status).toBe(200)
  }
})

test.each([
  ['٠١٢ ٣٤٥', '012345'],
  ['۰۱۲-۳۴۵', '012345'],
  ['\u200f012345\u200f', '012345'],
  ['01234', null],
  ['0123456', null],
  ['01234x', null],
])('%s is read as %s', (typed, code) => {
  expect(readAppCode(typed)).toBe(code)
})
