import { expect, test } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { makePerson, staffBrowser } from '../support/staff.ts'

// Pages and files said `nosniff`, and the JSON of the APIs did not, although it holds texts that strangers have sent. And a
// page of another host below our domain, whose requests carry the session's cookie, could load what the dashboard reads.

const started = testApp(testDatabase())

test.each([
  ['an unknown path', 'GET', '/nothing'],
  ['a wrong method', 'DELETE', '/healthz'],
  ['a URL that does not decode', 'GET', '/api/%ff'],
  ['health', 'GET', '/healthz'],
  ['the description', 'GET', '/api/openapi.json'],
  ['a missing key', 'GET', '/api/v1/webhooks'],
  ['a checkout that is refused', 'POST', '/api/v1/orders/checkout/pk_test_none'],
  ['a preflight', 'OPTIONS', '/api/v1/orders/checkout/pk_test_none'],
  ['nobody who is signed in', 'GET', '/dashboard/api/session'],
  ['a page', 'GET', '/'],
])('the answer to %s is what it says', async (_, method, path) => {
  const { headers } = await started().send(method, path)
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test('what the dashboard reads stays with our own pages', async () => {
  const app = started()
  const { program_id, merchant_id } = await makeMerchant(app.db)
  const owner = await makePerson(app, { program_id, merchant_id, role: 'owner' })
  const own = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' }
  for (const path of ['/session', `/merchants/${merchant_id}`, `/merchants/${merchant_id}/orders.csv`])
    expect(await owner.call('GET', path)).toMatchObject({ status: 200, headers: own })
  expect(await owner.call('GET', '/operator/health')).toMatchObject({ status: 403, headers: own })
  expect(await staffBrowser(app).call('GET', '/session')).toMatchObject({ status: 401, headers: own })
})

test('nobody who opens the dashboard keeps a hold of its window', async () => {
  expect((await started().send('GET', '/dashboard/')).headers['cross-origin-opener-policy']).toBe('same-origin')
})
