import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Clock } from '../../src/lib/clock.ts'
import { type App, defaults, startApp } from '../support/api.ts'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { Shopper, wordsOf } from '../support/shopper.ts'
import { nameReturnHosts } from '../support/signing.ts'
import { readTable } from '../support/tables.ts'

// What went wrong: `callback_url` accepted a user name that reads like the shop's host, hosts that only look like
// another, and internal addresses; and the page's link said only "Return to the store".

const database = testDatabase()
const stage = checkoutStage(database)

const asked = (callback_url: string) => ({ json: { total_price: 100, order_number: '1', callback_url } })
const path = () => `/api/v1/orders/checkout/${stage.shop.public_key}`

/** The same service as in production, on the same database. */
let production: App<Clock>
beforeAll(async () => {
  production = await startApp(database, { environment: 'production', db: database.db }, stage.app.clock)
})
afterAll(() => production.stop())

const rows = readTable(`
  callback_url                                    | sandbox | production
  https://shop.example/thanks                     | 200     | 200
  https://shop.example:8443/thanks?a=@b#c@d       | 200     | 200
  https://www.shop.example/a@b                    | 200     | 200
  http://shop.example/thanks                      | 200     | 422
  http://localhost:3000/thanks                    | 200     | 422
  https://localhost/                              | 200     | 422
  http://127.0.0.1:3000/                          | 200     | 422
  https://[::1]/                                  | 200     | 422
  http://192.168.1.20/                            | 200     | 422
  https://192.168.1.20/                           | 200     | 422
  https://10.0.0.1/                               | 200     | 422
  https://[fd00::1]/                              | 200     | 422
  https://8.8.8.8/                                | 200     | 200
  http://169.254.169.254/                         | 422     | 422
  https://169.254.169.254/latest                  | 422     | 422
  https://0xa9fea9fe/                             | 422     | 422
  https://[::ffff:169.254.169.254]/               | 422     | 422
  https://[fe80::1]/                              | 422     | 422
  https://0.0.0.0/                                | 422     | 422
  https://metadata.google.internal/               | 422     | 422
  https://shop.example@evil.example/              | 422     | 422
  https://user:password@shop.example/             | 422     | 422
  https://@shop.example/                          | 422     | 422
  https://:@shop.example/                         | 422     | 422
  https://evil.example\\@shop.example/            | 422     | 422
  https://shop.example\\.evil.example/            | 422     | 422
  javascript://shop.example/%0aalert(1)           | 422     | 422
  data:text/html,hi                               | 422     | 422
  ftp://shop.example/                             | 422     | 422
  //shop.example/                                 | 422     | 422
  https://                                        | 422     | 422
  https://sh op.example/                          | 422     | 422
`)

test.each(rows)('$callback_url: in a sandbox $sandbox, in production $production', async (row) => {
  const callback_url = row['callback_url'] ?? ''
  const here = await stage.app.call('POST', path(), asked(callback_url))
  const there = await production.send('POST', path(), asked(callback_url))
  expect([String(here.status), String(there.status)]).toEqual([row['sandbox'], row['production']])
  for (const { status, body } of [here, there])
    if (status === 422) expect(Object.keys(body.errors ?? {})).toEqual(['callback_url'])
})

const shown = [
  ['https://shop.example/thanks', 'shop.example'],
  ['HTTPS://SHOP.Example:8443/a?b', 'shop.example:8443'],
  ['http://shop.example:80/', 'shop.example'],
  // Cyrillic letters, a zero-width space, a soft hyphen, full-width letters, a fraction that becomes a slash elsewhere.
  ['https://аррӏе.com/', 'xn--80ak6aa92e.com'],
  ['https://shоp.example/', 'xn--shp-ted.example'],
  ['https://sh\u200bop.example/', 'shop.example'],
  ['https://sh\u00adop.example/', 'shop.example'],
  ['https://ｓｈｏｐ.example/', 'shop.example'],
  ['https://2130706433/', '127.0.0.1'],
  ['https://متجر.example/', 'xn--pgbep1f.example'],
  ['https://متجر.السعودية/شكرا', 'متجر.السعودية'],
  // A letter of Persian that looks like one of Arabic.
  ['https://علی.السعودية/', 'xn--4gbw22b.xn--mgberp4a5d4ar'],
] as const

test.each(shown)('the page names the host of %j as %s, and leads there', async (callback_url, host) => {
  const { path: page } = await stage.open({ callback_url })
  const visit = await stage.shopper().open(page)
  expect(wordsOf(visit)).toContain(`Back to ${host} without paying`)
  expect(visit.text).not.toMatch(/[\u200b\u00ad\u202e]/)
  const href = /<a href="([^"]*)">Back to /.exec(visit.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(href).toMatch(/^https?:\/\/[ -~]+(?:\/|\?|$)/)
  expect(new URL(href).host).toBe(new URL(callback_url).host)
  const arabic = await stage.shopper('ar').open(page)
  expect(wordsOf(arabic)).toContain(`العودة إلى ${host} دون دفع`)
})

test('customers of a merchant that names hosts return only to these, from older links too', async () => {
  const before = await stage.open({ callback_url: 'https://shop.example.evil.example/' })
  const named = await stage.open({ callback_url: 'https://shop.example/thanks' })
  await nameReturnHosts(database.owner, stage.shop.merchant, ['shop.example', 'shop.example:8443'])
  try {
    const tried = Object.fromEntries(
      await Promise.all(
        [
          'https://shop.example/',
          'https://shop.example:443/',
          'https://SHOP.example:8443/',
          'https://shop.example:8444/',
          'https://www.shop.example/',
          'https://shop.example./',
          'https://shop.example.evil.example/',
        ].map(async (url) => [url, (await stage.app.call('POST', path(), asked(url))).status] as const),
      ),
    )
    expect(tried).toEqual({
      'https://shop.example/': 200,
      'https://shop.example:443/': 200,
      'https://SHOP.example:8443/': 200,
      'https://shop.example:8444/': 422,
      'https://www.shop.example/': 422,
      'https://shop.example./': 422,
      'https://shop.example.evil.example/': 422,
    })
    const astray = await stage.shopper().open(before.path)
    expect(astray.status).toBe(200)
    expect(astray.text).not.toContain('evil.example')
    expect(wordsOf(await stage.shopper().open(named.path))).toContain('Back to shop.example without paying')
  } finally {
    await nameReturnHosts(database.owner, stage.shop.merchant, [])
  }
})

test('pages hide the way back to an address stored before these rules', async () => {
  for (const callback_url of ['https://shop.example@evil.example/', 'http://169.254.169.254/']) {
    const { path: page, order_uuid } = await stage.open({ callback_url: 'https://shop.example/' })
    const move = 'update checkout_session set callback_url = $2 where order_uuid = $1'
    await database.owner.run({ text: move, values: [order_uuid, callback_url] })
    const visit = await stage.shopper().open(page)
    expect(visit.status).toBe(200)
    expect(visit.text).not.toMatch(/Back to |evil|169\.254/)
  }
  // A sandbox may lead to plain http; production may not, even to an address that the sandbox accepted.
  const { path: page } = await stage.open({ callback_url: 'http://shop.example/' })
  expect((await stage.shopper().open(page)).text).toContain('Back to')
  const live = await new Shopper(production.send, defaults.public_url).open(page)
  expect([live.status, live.text.includes('Back to')]).toEqual([200, false])
})
