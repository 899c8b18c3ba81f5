import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PageRow, redirect } from '../../src/http/pages/page.ts'
import { form } from '../../src/pages/design/controls.ts'
import { showFailure } from '../../src/pages/design/failure.ts'
import { html } from '../../src/pages/design/html.ts'
import { layout } from '../../src/pages/design/layout.ts'
import { type Visitor, visitor } from '../support/visitor.ts'
import type { CallOptions, Reply } from './client.ts'
import { DatabaseAway, formKeys, startServer, type TestServer } from './support.ts'

/** The forms that the pages below received. */
const taken: Record<string, unknown>[] = []

const rows: PageRow<unknown>[] = [
  {
    path: '/form/:id',
    async show({ params, locale, query, csrf, browser }) {
      if (params['id'] === 'away') throw new DatabaseAway()
      const body = html`<p id="said">${query['said'] ?? ''}</p><p id="browser">${browser}</p>${form({ action: `/form/${params['id']}?from=form`, csrf }, html`<input name="name">`)}`
      return layout({ status: 200, locale, query, title: 'Form', body })
    },
    async submit({ params, query, form: fields, method, locale }) {
      taken.push({ method, id: params['id'], from: query['from'], ...fields, locale })
      return redirect(`/form/${params['id']}?said=${encodeURIComponent(fields['name'] ?? '')}`, [
        { name: '__Host-test', value: 'kept', max_age_s: 60 },
      ])
    },
  },
  {
    path: '/read',
    async show({ locale, query, browser }) {
      return layout({ status: 200, locale, query, title: 'Read', body: html`<h1>${browser}</h1>` })
    },
  },
  { path: '/sign-out', submit: async () => redirect('/read') },
  {
    path: '/linked',
    cookies: true,
    show: async ({ csrf, locale }) =>
      layout({ status: 200, locale, title: 'Linked', body: form({ action: '/sign-out', csrf }, 'Sign out') }),
  },
  {
    path: '/report',
    posts: 'anyone',
    show: async ({ browser }) => ({ status: 200, body: browser, headers: {} }),
    async submit({ body, form: fields, headers }) {
      taken.push({ body: body.toString('latin1'), fields: { ...fields }, type: headers['content-type'] })
      return { status: 200, body: '{}', headers: { 'content-type': 'application/json; charset=utf-8' } }
    },
  },
]

let server: TestServer
beforeAll(async () => {
  server = await startServer([], {}, { pages: { rows, showFailure } })
})
afterAll(() => server.stop())

const type = 'application/x-www-form-urlencoded'
const call = (method: string, path: string, options?: CallOptions): Promise<Reply> => server.call(method, path, options)
const visit = (headers = {}): Visitor => visitor(call, headers)

/** The cookie and token of a browser that has the form open. */
async function opened(): Promise<{ cookie: string; csrf: string }> {
  const one = visit()
  await one.open('/form/7')
  const browser = one.cookies.get('__Host-nuqta-browser') ?? ''
  return { cookie: `__Host-nuqta-browser=${browser}`, csrf: formKeys.tokenOf(browser) }
}

/** Sends a form by hand. Gives the answer and the forms that the pages received meanwhile. */
async function post(bytes: string | Buffer, headers: Record<string, string>, path = '/form/7') {
  taken.length = 0
  const reply = await call('POST', path, { bytes, headers: { 'content-type': type, ...headers } })
  return { ...reply, taken: [...taken] }
}

describe('our own form', () => {
  it('is accepted by a POST, which redirects by 303 and sets its cookies', async () => {
    taken.length = 0
    const one = visit()
    await one.open('/form/7')
    const page = await one.submit({ name: 'ليلى & <co>' })
    expect(taken).toMatchObject([{ method: 'POST', id: '7', from: 'form', name: 'ليلى & <co>' }])
    expect([page.status, one.path]).toEqual([200, `/form/7?said=${encodeURIComponent('ليلى & <co>')}`])
    expect(page.text).toContain('<p id="said">ليلى &amp; &lt;co&gt;</p>')
    expect(one.cookies.get('__Host-test')).toBe('kept')
  })

  it('names its target and is not cached', async () => {
    const { cookie, csrf } = await opened()
    const reply = await post(`csrf=${csrf}&name=a`, { cookie })
    expect(reply).toMatchObject({ status: 303, text: '' })
    expect(reply.headers).toMatchObject({ location: '/form/7?said=a', 'cache-control': 'no-store' })
  })

  it('gives the first value of a name, and reads plus signs, empty values and names of JavaScript as plain text', async () => {
    const { cookie, csrf } = await opened()
    const { taken } = await post(`csrf=${csrf}&name=a+b%2B&name=second&empty=&__proto__=x&constructor=y`, { cookie })
    expect(taken).toMatchObject([{ name: 'a b+', empty: '', constructor: 'y' }])
  })

  it.each([
    ['without its token', '', {}],
    ['with another token', `csrf=${'A'.repeat(43)}`, {}],
    ['with a token of another length', 'csrf=x', {}],
    ['with the token of another browser', 'csrf=OTHER', {}],
    ['from another site, by Sec-Fetch-Site', 'csrf=OWN', { 'sec-fetch-site': 'cross-site' }],
    ['from another host of the same site', 'csrf=OWN', { 'sec-fetch-site': 'same-site' }],
    ['from another origin, without Sec-Fetch-Site', 'csrf=OWN', { origin: 'https://evil.example' }],
    ['from a page without an origin', 'csrf=OWN', { origin: 'null' }],
  ])('is refused with a page and no effect %s', async (_, body, headers: Record<string, string>) => {
    const { cookie, csrf } = await opened()
    const other = (await opened()).csrf
    const bytes = `${body.replace('OWN', csrf).replace('OTHER', other)}&name=a`
    for (const [language, title] of [
      ['en', 'Please send that again'],
      ['ar', 'أعد الإرسال من فضلك'],
    ] as const) {
      const reply = await post(bytes, { ...headers, cookie, 'accept-language': language })
      expect([reply.status, reply.taken]).toEqual([403, []])
      expect(reply.text).toContain(`<h1>${title}</h1>`)
      expect(reply.text).toContain('href="/form/7"')
      expect(reply.headers['set-cookie']).toBeUndefined()
    }
  })

  it.each([
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    { 'sec-fetch-site': 'none' },
    { origin: 'OWN' },
    { origin: 'https://nuqta.example' },
  ])('is accepted from our own page: %j', async (headers: Record<string, string>) => {
    const { cookie, csrf } = await opened()
    const origin = headers['origin'] === 'OWN' ? { origin: `https://localhost:${server.port}` } : {}
    const reply = await post(`csrf=${csrf}&name=a`, { ...headers, ...origin, cookie })
    expect([reply.status, reply.taken.length]).toEqual([303, 1])
  })

  it('is refused without cookies, with a link back to the page of the form', async () => {
    const { csrf } = await opened()
    const reply = await post(`csrf=${csrf}&name=a`, { 'accept-language': 'ar' })
    expect([reply.status, reply.taken]).toEqual([403, []])
    expect(reply.text).toContain('<h1>ملفات تعريف الارتباط موقوفة</h1>')
    const referer = `https://localhost:${server.port}/linked?secret=1`
    const away = await post('', { referer }, '/sign-out')
    expect([away.status, /href="(\/linked[^"]*)"/.exec(away.text)?.[1]]).toEqual([403, '/linked'])
    const foreign = await post('', { referer: 'https://evil.example/linked' }, '/sign-out')
    expect(foreign.text).not.toContain('/linked')
    const slashes = await post('', { referer: `https://localhost:${server.port}//evil.example/linked` }, '/sign-out')
    expect(slashes.text).not.toContain('evil.example')
  })

  it('may be on another page than its target', async () => {
    const one = visit()
    await one.open('/linked')
    expect(await one.submit()).toMatchObject({ status: 200 })
    expect(one.path).toBe('/read')
  })

  it.each([
    ['is not UTF-8', 'name=%ff%fe', 400],
    ['is not UTF-8 without escapes', Buffer.from([0x6e, 0x3d, 0xff]), 400],
    ['has half a character', 'name=%d9', 400],
    ['holds a NUL', 'name=a%00b', 400],
    ['is over 64 KiB', `name=${'a'.repeat(65_536)}`, 413],
  ])('is refused as a page when it %s', async (_, bytes, status) => {
    const { cookie } = await opened()
    const reply = await post(bytes, { cookie })
    expect([reply.status, reply.taken]).toEqual([status, []])
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
  })

  it.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain'])('is refused as %s', async (other) => {
    const { cookie, csrf } = await opened()
    const reply = await post(`csrf=${csrf}`, { cookie, 'content-type': other })
    expect([reply.status, reply.taken]).toEqual([415, []])
    expect(reply.text).toContain('<!doctype html>')
  })

  it('is refused compressed', async () => {
    const { cookie, csrf } = await opened()
    expect(await post(`csrf=${csrf}`, { cookie, 'content-encoding': 'gzip' })).toMatchObject({ status: 415, taken: [] })
  })

  it('is refused with the envelope on an unknown path, and with a page and Allow elsewhere', async () => {
    expect(await post('a=b', {}, '/nowhere')).toMatchObject({ status: 404, body: { status: false } })
    const reply = await post('a=b', {}, '/read')
    expect(reply).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
    expect(await call('GET', '/sign-out')).toMatchObject({ status: 405, headers: { allow: 'POST' } })
    expect(await call('DELETE', '/form/7')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, POST' } })
    expect(reply.text).toContain('<!doctype html>')
  })
})

describe('the browser', () => {
  it('has an id in a cookie that no script can read and no other host gets, renewed at each visit', async () => {
    const one = visit()
    const first = await one.open('/form/7')
    const [line = '', ...others] = first.headers['set-cookie'] ?? []
    expect(line).toMatch(
      /^__Host-nuqta-browser=[0-9a-hjkmnp-tv-z]{26}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(others).toEqual([])
    const again = await one.open('/form/8')
    expect(again.headers['set-cookie']).toEqual([line])
    expect(again.text).toContain(`<p id="browser">${one.cookies.get('__Host-nuqta-browser')}</p>`)
  })

  it.each(['', 'x', '"; DROP', 'A'.repeat(26), 'u'.repeat(26)])(
    'gets a new id for an invalid one: %j',
    async (name) => {
      const { text } = await call('GET', '/form/7', { headers: { cookie: `__Host-nuqta-browser=${name}` } })
      expect(text).toMatch(/<p id="browser">[0-9a-hjkmnp-tv-z]{26}<\/p>/)
      if (name !== '') expect(text).not.toContain(`<p id="browser">${name}</p>`)
    },
  )

  it('gets no id from a page without a form, nor from a request of another site', async () => {
    for (const [method, path] of [
      ['GET', '/read?lang=ar'],
      ['GET', '/report'],
      ['POST', '/report'],
      ['POST', '/form/7'],
    ] as const)
      expect((await call(method, path)).headers['set-cookie'], path).toBeUndefined()
  })

  it('has an id of its own', async () => {
    const names = await Promise.all(Array.from({ length: 20 }, () => opened().then(({ cookie }) => cookie)))
    expect(new Set(names).size).toBe(20)
  })
})

describe('the language of a page', () => {
  it('is what the reader chose last, else what the browser prefers', async () => {
    const one = visit({ 'accept-language': 'ar' })
    const shown = async (path: string) => /<html lang="(\w+)" dir="(\w+)"/.exec((await one.open(path)).text)?.slice(1)
    expect(await shown('/form/7')).toEqual(['ar', 'rtl'])
    expect(await shown('/form/7?lang=en')).toEqual(['en', 'ltr'])
    expect(await shown('/form/7')).toEqual(['en', 'ltr'])
    expect(await shown('/read')).toEqual(['en', 'ltr'])
    expect(await shown('/form/7?lang=xx')).toEqual(['en', 'ltr'])
    expect(await shown('/form/7?lang=ar')).toEqual(['ar', 'rtl'])
    taken.length = 0
    await one.submit({ name: 'a' })
    expect(taken).toMatchObject([{ locale: 'ar' }])
  })

  it('is also the language of its failures', async () => {
    const headers = { cookie: '__Host-nuqta-lang=ar', 'accept-language': 'en' }
    const { status, text } = await call('GET', '/form/away', { headers })
    expect(status).toBe(503)
    expect(text).toContain('سنعود بعد قليل')
    expect(text).toContain('href="/form/away"')
  })

  it('changes by a link that keeps the query', async () => {
    const { text } = await call('GET', '/form/7?said=%22a%26b%22&lang=en')
    expect(text).toContain('href="?said=%22a%26b%22&amp;lang=ar"')
  })
})

describe('a slash at the end of an address', () => {
  it.each([
    ['/read/', '/read'],
    ['/read//?lang=ar&from=a/', '/read?lang=ar&from=a/'],
    ['/form/7/', '/form/7'],
  ])('leads a reader of %s to %s', async (path, location) => {
    for (const method of ['GET', 'HEAD'])
      expect(await call(method, path), method).toMatchObject({ status: 301, headers: { location } })
  })

  it.each([
    ['GET', '/other/'],
    ['GET', '//read/'],
    ['GET', '/sign-out/'],
    ['POST', '/read/'],
    ['GET', '/api/openapi.json/'],
    ['GET', '/healthz/'],
  ])('leads nowhere from %s %s', async (method, path) => {
    expect(await call(method, path)).toMatchObject({ status: 404 })
  })
})

describe('a row for anyone', () => {
  it.each(['application/json', 'text/xml', 'application/octet-stream', type])(
    'receives a body of any type as it was sent: %j',
    async (sent) => {
      const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d])
      const reply = await post(
        bytes,
        { 'content-type': sent, origin: 'https://bank.example', 'sec-fetch-site': 'cross-site' },
        '/report',
      )
      expect(reply).toMatchObject({
        status: 200,
        text: '{}',
        headers: { 'content-type': 'application/json; charset=utf-8' },
      })
      expect(reply.taken).toMatchObject([{ body: bytes.toString('latin1'), fields: {} }])
    },
  )

  it('refuses more than 64 KiB, with or without a declared length', async () => {
    const large = Buffer.alloc(65_537, 'a')
    expect(await post(large, {}, '/report')).toMatchObject({ status: 413, taken: [] })
    expect(await post(large.subarray(1), {}, '/report')).toMatchObject({ status: 200 })
    const head =
      'POST /report HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n10001\r\n'
    expect(await server.raw(Buffer.concat([Buffer.from(head), large, Buffer.from('\r\n0\r\n\r\n')]))).toMatch(
      /^HTTP\/1.1 413 /,
    )
  })
})

describe('every page', () => {
  it('answers HEAD like GET, without a body', async () => {
    const [get, head] = [await call('GET', '/form/7'), await call('HEAD', '/form/7')]
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })

  it('has headers that forbid framing, sharing and caching', async () => {
    for (const path of ['/form/7', '/read', '/form/away', '/report'])
      expect((await call('GET', path)).headers, path).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'/),
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        vary: 'Accept-Language, Cookie',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      })
  })

  it('refuses a query with a NUL', async () => {
    expect(await call('GET', '/form/7?said=%00')).toMatchObject({ status: 400 })
  })
})
