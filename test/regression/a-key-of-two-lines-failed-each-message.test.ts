import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { mistakesOf } from '../support/settings.ts'

// A key that no header of HTTP can hold, from a file with two lines or a text with an ellipsis, was taken. Each message then
// failed with the code UND_ERR_INVALID_ARG, which says nothing of the key.

const accounts = {
  NUQTA_SMS: 'taqnyat',
  NUQTA_SMS_SENDER: 'نقطة',
  NUQTA_TRANSLATION: 'google',
  NUQTA_PAYMENT_PAYTABS_PROFILE_ID: '1',
  NUQTA_PAYMENT_MOYASAR_WEBHOOK_SECRET: 'a secret',
}
const keys = {
  NUQTA_SMS_KEY: 'a key',
  NUQTA_TRANSLATION_KEY: 'a key',
  NUQTA_PAYMENT_PAYTABS_SERVER_KEY: 'a key',
  NUQTA_PAYMENT_MOYASAR_SECRET_KEY: 'a key',
}

test.each(Object.keys(keys))('%s of several lines, or with other than ASCII characters, is one mistake', (name) => {
  for (const key of ['one\ntwo', 'one\r\ntwo', 'sk_live_…', 'مفتاح', 'a\tkey'])
    expect(mistakesOf({ env: { ...accounts, ...keys, [name]: key }, cwd: '/' })).toEqual([
      `${name} must be one line of ASCII characters`,
    ])
})

test('the line break at the end of a file, or blanks around a key, are no part of it', () => {
  const { sms } = loadConfig({ env: { ...accounts, ...keys, NUQTA_SMS_KEY: ' the token\r\n' }, cwd: '/' })
  expect(sms).toMatchObject({ key: 'the token' })
})
