import { expect, test } from 'vitest'
import { production } from '../support/production.ts'
import { mistakesOf } from '../support/settings.ts'

// In production a gateway could be given by an http address anywhere. Keys, codes and payments then crossed the network in
// clear. And the user or the query of such an address was dropped without a word, or ended up before the path.

const mistakes = (env: Readonly<Record<string, string>>): readonly string[] =>
  mistakesOf({ env, cwd: '/', purpose: 'command' })

const addresses = [
  ['NUQTA_SMS_URL', 'the key and the codes'],
  ['NUQTA_PAYMENT_PAYTABS_URL', 'keys and payments'],
  ['NUQTA_PAYMENT_MOYASAR_URL', 'keys and payments'],
  ['NUQTA_TRANSLATION_URL', 'the key of the translator'],
] as const
const translator = { NUQTA_TRANSLATION: 'libretranslate', NUQTA_TRANSLATION_KEY: 'a key' }

test.each(addresses)('%s leads to no http in production, except on loopback', (name, crosses) => {
  for (const url of ['http://gateway.example.com', 'HTTP://10.0.0.8:8080/sms', 'http://localhost.example.com'])
    expect(mistakes({ ...production, ...translator, NUQTA_TRANSLATION_URL: 'https://t.example', [name]: url })).toEqual(
      [`${name} must begin with https:// in production, or be on loopback: ${crosses} would cross in clear`],
    )
  for (const url of ['https://gateway.example.com', 'http://127.0.0.1:9000', 'http://[::1]', 'http://localhost/sms'])
    expect(mistakes({ ...production, ...translator, NUQTA_TRANSLATION_URL: 'https://t.example', [name]: url })).toEqual(
      [],
    )
})

test.each(addresses)('%s has neither user nor query nor fragment', (name) => {
  for (const url of [
    'https://user@g.example',
    'https://:secret@g.example',
    'https://g.example/?a=1',
    'https://g.example#a',
  ])
    expect(mistakes({ ...translator, NUQTA_TRANSLATION_URL: 'https://t.example', [name]: url })).toContain(
      `${name} must be a URL without user, query and fragment`,
    )
})

test('a sandbox, and a translator without a key, may be in the private network', () => {
  for (const [name] of addresses) expect(mistakes({ [name]: 'http://gateway.internal' })).toEqual([])
  const open = { NUQTA_TRANSLATION: 'libretranslate', NUQTA_TRANSLATION_URL: 'http://translate.internal:5000' }
  expect(mistakes({ ...production, ...open })).toEqual([])
})
