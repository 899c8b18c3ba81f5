import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setProgram } from '../../src/features/merchants/programs.ts'
import { type App, makeMerchant, makeProgram, startApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

const database = testDatabase()
const operator = { name: 'Points <Company>', contact: 'help@points.example.com' }
const named = 'Points &lt;Company&gt;'

let sandbox: App
let production: App
beforeAll(async () => {
  sandbox = await startApp(database)
  production = await startApp(database, {
    environment: 'production',
    operator,
    public_url: 'https://points.example.com',
  })
})
afterAll(async () => {
  await sandbox.stop()
  await production.stop()
})

const linksOf = (text: string) => [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href)

describe('/', () => {
  it.each([
    ['en', 'Loyalty points, kept like money.', 'ltr'],
    ['ar', 'نقاط ولاء تُحفظ كما يُحفظ المال.', 'rtl'],
  ] as const)('says in %s what the service is, and in a sandbox leads to everything', async (lang, title, dir) => {
    const { status, text } = await sandbox.page('/', { 'accept-language': lang })
    expect(status).toBe(200)
    expect(text).toContain(`<html lang="${lang}" dir="${dir}">`)
    expect(text).toContain(`<h1>${title}</h1>`)
    const doors = ['/demo', '/wallet', '/dashboard/', '/widget/playground', '/docs', '/api/openapi.json', '/readyz']
    expect(linksOf(text)).toEqual(expect.arrayContaining(doors))
    for (const phone of ['0500000001', '0500000002', '0500000003']) expect(text).toContain(phone)
    // The history belongs to a sandbox that began with one.
    expect(text).not.toContain('0500000011')
    expect(text).toContain('<meta name="robots" content="noindex">')
  })

  // The seventh of seven stood alone in the third row.
  it('leads there in full rows of three', async () => {
    const { text } = await sandbox.page('/')
    const lists = [...text.matchAll(/<ul class="front-doors">(.*?)<\/ul>/gs)].map(([, list = '']) => list)
    expect(lists.map((list) => list.split('<li>').length - 1)).toEqual([3, 3])
  })

  it('remembers the language that its reader chose', async () => {
    const { headers, text } = await sandbox.page('/?lang=ar')
    expect(text).toContain('href="?lang=en"')
    expect(headers['set-cookie']?.some((cookie) => cookie.startsWith('__Host-nuqta-lang=ar;'))).toBe(true)
  })

  it('leads in production to what customers and integrators need, and names the operator', async () => {
    const { text } = await production.page('/')
    expect(linksOf(text)).toEqual(
      expect.arrayContaining([
        '/wallet',
        '/dashboard/',
        '/terms',
        '/docs',
        '/api/openapi.json',
        `mailto:${operator.contact}`,
      ]),
    )
    for (const absent of ['/demo', '/widget/playground', '0500000001', 'name="robots"'])
      expect(text).not.toContain(absent)
    expect(text).toContain(named)
  })

  it('has what a preview of its link shows, from its own host', async () => {
    const { text } = await production.page('/')
    const picture = /property="og:image" content="([^"]*)"/.exec(text)?.[1] ?? ''
    expect(picture).toMatch(/^https:\/\/points\.example\.com\/assets\/preview\.[0-9a-f]{12}\.png$/)
    const shown = await production.page(new URL(picture).pathname)
    expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/png'])
    expect(text).toContain('<meta property="og:url" content="https://points.example.com/">')
    expect(text.match(/<meta name="theme-color"/g)).toHaveLength(2)
  })

  it('loads nothing from other origins, and its policy forbids scripts', async () => {
    const { headers, text } = await sandbox.page('/')
    const loaded = [...text.matchAll(/(?:<link [^>]*href|src)="([^"]*)"/g)].map(([, url]) => url ?? '')
    expect(loaded.filter((url) => !/^\/(assets|brand)\//.test(url))).toEqual([])
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'; font-src 'self';/)
    expect(headers['content-security-policy']).not.toContain('script-src')
  })
})

describe('files that browsers ask for by name', () => {
  it.each([
    ['/favicon.ico', 'image/x-icon'],
    ['/favicon.svg', 'image/svg+xml'],
    ['/apple-touch-icon.png', 'image/png'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
  ])('%s is %s, and may be kept for a day', async (path, type) => {
    const { status, headers } = await sandbox.page(path)
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, type, 'public, max-age=86400'])
    expect(headers['set-cookie']).toBeUndefined()
  })

  it('robots.txt excludes a sandbox, and in production allows only pages that are the same for everyone', async () => {
    expect((await sandbox.page('/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n')
    const allowed = ['Allow: /$', 'Allow: /assets/', 'Allow: /docs', 'Allow: /terms', 'Disallow: /']
    expect((await production.page('/robots.txt')).text.split('\n').slice(1, -1)).toEqual(allowed)
  })
})

describe('the operator', () => {
  it('of the deployment stands on every page that belongs to no program, failures and documentation too', async () => {
    await makeProgram(database.db, {}, { environment: 'production' })
    const own = [
      '/',
      '/wallet',
      '/wallet/data',
      '/terms',
      '/docs',
      '/docs/checkout',
      '/docs/api-orders',
      '/dashboard/sign-in',
    ]
    for (const path of [...own, '/wallet?program=999999', '/checkout/unknown', '/other']) {
      const { text } = await production.page(path, { accept: 'text/html' })
      expect(text, path).toContain(named)
      expect(text, path).toContain(operator.contact)
    }
    expect((await production.page('/terms')).text).toContain('Who runs the programme')
    expect((await sandbox.page('/terms')).text).not.toContain('Who runs the programme')
  })

  it('of a program takes its place on the pages and in the terms of the program', async () => {
    const { program_id, name } = await makeProgram(database.db, {}, { environment: 'production' })
    const own = { operator_name: 'Mall Company', operator_contact: '920012345' }
    await setProgram(database.db, name, { changes: own, now: new Date() })
    const { public_key } = await makeMerchant(database.db, { environment: 'production', program_id })
    const json = { total_price: 10, order_number: '1' }
    const opened = await production.call('POST', `/v1/orders/checkout/${public_key}`, { json })
    const { checkout_url } = opened.body.data as { checkout_url: string }
    for (const path of [
      new URL(checkout_url).pathname,
      `/wallet?program=${program_id}`,
      `/terms?program=${program_id}`,
    ]) {
      const { text } = await production.page(path)
      expect(text, path).toContain('Mall Company')
      expect(text, path).toContain('href="tel:920012345"')
      expect(text, path).toMatch(/<footer[^>]*>\s*<p>Questions and complaints: /)
      expect(text, path).not.toContain(named)
    }
  })
})

describe('the demo shop', () => {
  it.each(['/demo', '/demo/beans', '/demo/done'])('does not exist in production: %s', async (path) => {
    const { status, headers } = await production.page(path)
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  })

  it('does not exist in a sandbox without its merchant', async () => {
    expect((await sandbox.page('/demo')).status).toBe(404)
  })
})

describe('the demo receiver', () => {
  const deliver = async (app: App, json: unknown, attempt: number) => {
    const headers = { 'x-webhook-attempt': String(attempt) }
    const { status, text } = await app.send('POST', '/demo/receiver', { json, headers })
    return [status, text]
  }
  const received = [200, '{"received":true}\n']
  const refunded = (left_amount: number) => ({ event: 'refunded', order: { left_amount } })

  it('takes events, refunds at the second attempt, and never the refund of a part', async () => {
    expect(await deliver(sandbox, { event: 'approved', order: { total_price: 10 } }, 1)).toEqual(received)
    expect(await deliver(sandbox, { event: 'settlement_closed' }, 1)).toEqual(received)
    expect(await deliver(sandbox, refunded(0), 1)).toEqual([503, '{"error":"busy"}\n'])
    expect(await deliver(sandbox, refunded(0), 2)).toEqual(received)
    for (const attempt of [1, 4])
      expect(await deliver(sandbox, refunded(5.5), attempt)).toEqual([
        422,
        '{"error":"a refund of a part is not supported"}\n',
      ])
  })

  it.each(['null', '{', '[1]', '"x"', '{"event":"refunded","order":null}'])('survives the body %s', async (bytes) => {
    expect([200, 503]).toContain((await sandbox.send('POST', '/demo/receiver', { bytes })).status)
  })

  it('does not exist in production', async () => {
    expect((await production.send('POST', '/demo/receiver', { json: { event: 'approved' } })).status).toBe(404)
  })
})
