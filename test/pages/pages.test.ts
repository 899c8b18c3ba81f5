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
  it('is answered with 404 in the envelope, also at the root', async () => {
    for (const path of ['/', '/checkout', '/checkout/a/b', '/docs/', '/other'])
      expect(await app().page(path), path).toMatchObject({
        status: 404,
        body: { status: false, message: expect.stringMatching(/^Path not found/) },
      })
  })
})

describe('the failure page', () => {
  it.each([
    ['database_unavailable', 503, 'en', 'We will be right back'],
    ['database_unavailable', 503, 'ar', 'سنعود بعد قليل'],
    ['unexpected', 500, 'en', 'Something went wrong'],
    ['malformed_request', 400, 'en', 'This page cannot be shown'],
  ] as const)('for %s has status %d and, in %s, the title %s', (kind, status, locale, title) => {
    const page = showFailure({ kind }, status, locale)
    expect(page.status).toBe(status)
    expect(page.body).toContain(`<h1>${title}</h1>`)
    expect(page.body).toContain(`lang="${locale}"`)
  })
})
