import { afterAll, beforeAll, expect, it } from 'vitest'
import { newServices, rows } from './rows.ts'
import { keys, startServer, type TestServer } from './support.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer(rows, newServices())
})
afterAll(() => server.stop())

const message = 'Invalid or inactive API key'
const missing = 'The x-api-key header is missing. Send the private key of the merchant in it.'
const refused = 'A key arrived, but it is not valid here. Check that it is whole, active and the one for this endpoint.'

const ask = (headers: Readonly<Record<string, string>>) => server.call('GET', '/api/v1/webhooks', { headers })

it('says whether a key is missing or not valid, but not why it is not valid', async () => {
  const tries = [
    [{}, missing],
    [{ 'x-api-key': '' }, missing],
    [{ 'x-api-key': '   ' }, missing],
    [{ authorization: `Bearer ${keys.good}` }, missing],
    [{ 'x-api-key': 'sk_test_unknown' }, refused],
    [{ 'x-api-key': 'sk_live_other' }, refused],
    [{ 'x-api-key': keys.public }, refused],
    [{ 'x-api-key': 'x'.repeat(5_000) }, refused],
  ] as const
  for (const [headers, hint] of tries) {
    const { status, body } = await ask(headers)
    expect([status, body]).toEqual([400, { status: false, message, appended_data: { hint } }])
  }
})

it('is in the language of the request, while the message never changes', async () => {
  const arabic = { 'accept-language': 'ar' }
  expect((await ask(arabic)).body).toMatchObject({
    message,
    appended_data: { hint: expect.stringMatching(/غير موجودة/) },
  })
  const wrong = await ask({ ...arabic, 'x-api-key': 'x' })
  expect(wrong.body).toMatchObject({ message, appended_data: { hint: expect.stringMatching(/غير صالح هنا/) } })
})

it('is the same for a public key in the path', async () => {
  const reply = await server.call('POST', '/api/v1/orders/checkout/pk_test_unknown', { json: {} })
  expect(reply.body).toEqual({ status: false, message, appended_data: { hint: refused } })
})

it('never asks a shop’s page for the private key, not even where the path lacks the public one', async () => {
  for (const path of ['/api/v1/orders/checkout/', '/api/v1/orders/checkout/%20']) {
    const reply = await server.call('POST', path, { json: {} })
    expect(reply.body, path).toEqual({ status: false, message, appended_data: { hint: refused } })
  }
})

it('is absent from other errors', async () => {
  const reply = await server.call('POST', '/api/v1/orders/earning', { key: keys.unverified, json: {} })
  expect([reply.status, reply.body.appended_data]).toEqual([403, {}])
})
