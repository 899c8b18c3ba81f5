import { describe, expect, it } from 'vitest'
import { showFailure } from '../../src/pages/design/failure.ts'
import { html } from '../../src/pages/design/html.ts'
import { testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

const database = testDatabase()
const app = testApp(database)

describe('the html template', () => {
  it('escapes values in text and attributes, but not nested HTML', () => {
    const evil = `<b a="1" b='2'>&amp;`
    const escaped = '&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;'
    expect(html`<p title="${evil}">${evil}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`)
    expect(html`${html`<i>${'<'}</i>`}${null}${7}${['<', html`<u></u>`]}`.text).toBe('<i>&lt;</i>7&lt;<u></u>')
  })
})

describe('an unknown path', () => {
  it('is answered with 404 in the envelope, except to a browser', async () => {
    for (const path of ['/checkout', '/checkout/a/b', '/docs/a/b', '/other'])
      expect(await app().page(path), path).toMatchObject({
        status: 404,
        body: { status: false, message: expect.stringMatching(/^Path not found/) },
      })
  })

  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  it.each([
    ['/other', browser, 'page'],
    ['/checkout/a/b', 'TEXT/HTML', 'page'],
    ['/other', 'application/json', 'envelope'],
    ['/other', '*/*', 'envelope'],
    ['/other', 'text/html;q=0, application/json', 'envelope'],
    ['/api', browser, 'envelope'],
    ['/api/v1/other', browser, 'envelope'],
    ['/apiary', browser, 'page'],
  ] as const)('%s, asked with Accept: %s, is answered by a %s', async (path, accept, kind) => {
    const reply = await app().page(path, { accept })
    const type = { page: 'text/html; charset=utf-8', envelope: 'application/json; charset=utf-8' }[kind]
    expect([reply.status, reply.headers['content-type']]).toEqual([404, type])
  })

  it('is a page in the language of the browser, with a way to the start page', async () => {
    const { text } = await app().page('/other', { accept: browser, 'accept-language': 'ar' })
    expect(text).toContain('<h1>لا توجد صفحة هنا</h1>')
    expect(text).toContain('href="/"')
    expect((await app().page('/other?lang=en', { accept: browser })).text).toContain('<h1>There is no page here</h1>')
  })
})

describe('the failure page', () => {
  it.each([
    ['database_unavailable', 503, 'en', 'We will be right back'],
    ['database_unavailable', 503, 'ar', 'سنعود بعد قليل'],
    ['unexpected', 500, 'en', 'Something went wrong'],
    ['malformed_request', 400, 'en', 'This page cannot be shown'],
    ['path_not_found', 404, 'en', 'There is no page here'],
  ] as const)('for %s has status %d and, in %s, the title %s', (kind, status, locale, title) => {
    const page = showFailure({ kind }, status, locale)
    expect(page.status).toBe(status)
    expect(page.body).toContain(`<h1>${title}</h1>`)
    expect(page.body).toContain(`lang="${locale}"`)
  })
})
