import { beforeAll, expect, test } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { createMoyasar } from '../../src/providers/payment/moyasar.ts'
import type { PaymentProvider } from '../../src/providers/payment/port.ts'
import { createLibreTranslate } from '../../src/providers/translation/libretranslate.ts'
import { testStandIn } from '../providers/stand-in.ts'

// PostgreSQL refuses a text with a NUL. One in a translated label failed the shipping update, one in the id of an invoice
// failed the payment that had just been begun, and one in the reason of a refusal kept the refusal from being recorded.

const standIn = testStandIn()
let moyasar: PaymentProvider
beforeAll(() => {
  moyasar = createMoyasar({ secret_key: 'a secret key', webhook_secret: 'a webhook secret', url: standIn().url })
})

test.each([
  ['pack\0ed', 'packed'],
  ['\0packed', 'packed'],
  [String.raw`\u0000 packed`, String.raw`\u0000 packed`],
  ['packed \ud800', 'packed \ufffd'],
])('the translation %j is read as %j', async (translatedText, text) => {
  standIn().answer = { body: { translatedText } }
  const translator = createLibreTranslate({ url: standIn().url })
  const label = { text: 'label', source: 'en', target: 'ar' } as const
  expect(await translator.translate(label, AbortSignal.timeout(10_000))).toEqual({ kind: 'translated', text })
})

test('a translation of nothing but NUL is none', async () => {
  standIn().answer = { body: { translatedText: '\0' } }
  const label = { text: 'label', source: 'en', target: 'ar' } as const
  const outcome = await createLibreTranslate({ url: standIn().url }).translate(label, AbortSignal.timeout(10_000))
  expect(outcome).toEqual({ kind: 'failed', reason: 'malformed' })
})

test('the id of a payment page and the reason of a refusal can be stored', async () => {
  const payment_uuid = newUuid()
  standIn().answer = { status: 201, body: { id: 'inv\0oice', url: 'https://checkout.moyasar.com/invoices/1' } }
  const page = await moyasar.create({
    ...{ program_id: 1, payment_uuid, amount_halalas: asHalalas(5_000), description: 'An order', kind: 'sale' },
    ...{ locale: 'en', return_url: 'https://points.example/return', callback_url: 'https://points.example/callback' },
  })
  expect(page).toMatchObject({ kind: 'page', provider_reference: 'invoice' })
  standIn().answer = { status: 400, body: { type: 'invalid_request_error', message: 'too\0 late' } }
  expect(await moyasar.query({ program_id: 1, payment_uuid, provider_reference: 'invoice' })).toEqual({
    kind: 'refused',
    detail: 'Moyasar invoice (HTTP 400): too late',
  })
})
