import { request } from 'node:https'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Locale } from '../../src/domain/locale.ts'
import { buildOpenApi } from '../../src/http/api/openapi.ts'
import { assetPage } from '../../src/pages/design/assets.ts'
import { showFailure } from '../../src/pages/design/failure.ts'
import type { ApiDescription } from '../../src/pages/docs/description.ts'
import { loadMarkdown, renderMarkdown } from '../../src/pages/docs/markdown.ts'
import { docsPages } from '../../src/pages/docs/page.ts'
import { routes } from '../../src/routes.ts'
import { startServer, type TestServer } from '../http/support.ts'
import { expectAccessible, expectToFit, screenshot, testBrowser } from '../support/browser.ts'
import { readTree } from '../support/tree.ts'

let server: TestServer
let origin: string
beforeAll(async () => {
  const docs = docsPages(() => buildOpenApi(routes) as ApiDescription)
  server = await startServer(
    [],
    { operator: { name: null, contact: null } },
    { pages: { rows: [...docs, assetPage], showFailure } },
  )
  origin = `https://localhost:${server.port}`
})
afterAll(() => server.stop())

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => server.call('GET', path, { headers })

const guides = readTree('docs/*.md').map(({ path }) => path.slice('docs/'.length, -'.md'.length))
const tags = [...new Set(routes.map(({ tag }) => tag))]
const paths = [
  '/docs',
  ...guides.map((name) => `/docs/${name}`),
  ...tags.map((tag) => `/docs/api-${tag.toLowerCase()}`),
]

const hrefs = (text: string) =>
  [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, to = '']) => to.replaceAll('&amp;', '&'))

describe('a guide in Markdown', () => {
  let markdown: Awaited<ReturnType<typeof loadMarkdown>>
  beforeAll(async () => {
    markdown = await loadMarkdown()
  })
  const render = (text: string) => {
    const titles = new Map([['checkout', 'Checkout']])
    return renderMarkdown(text, { markdown, titles }, '?lang=ar')
  }

  it('shows HTML as text, and leads nowhere by a script', () => {
    const shown = render('<script>alert(1)</script> <b onclick="x">b</b> [a](javascript:alert(1))\n\n```html\n<i>\n```')
    expect(shown).not.toMatch(/<script|<b |<i>|href/)
  })

  it('leads to the pages of guides, and to no file that is not served', () => {
    expect(render('[a](checkout.md#sign-it)')).toContain('href="/docs/checkout?lang=ar#sign-it"')
    expect(render('[checkout.md](checkout.md)')).toContain('>Checkout</a>')
    expect(render('[a `b`](spec/checkout.md) and [c](../src/main.ts)')).toBe('<p>a <code>b</code> and c</p>\n')
    expect(render('[a](#b) [c](https://example.com/)')).toMatch(/href="#b".*href="https:\/\/example.com\/"/)
  })

  it('has the anchors that a forge gives its headings', () => {
    expect(render('## Before you act on `approved`')).toContain('<h2 id="before-you-act-on-approved">')
  })
})

describe('/docs', () => {
  it.each(['ar', 'en'] as const)(
    'shows every guide and every endpoint, in %s around the English text',
    async (locale) => {
      for (const path of paths) {
        const { status, text, headers } = await get(`${path}?lang=${locale}`)
        expect([path, status, headers['content-language']]).toEqual([path, 200, locale])
        expect(text).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
        expect(text.match(/<h1/g)).toHaveLength(1)
        if (path.startsWith('/docs/api-')) expect(text).not.toMatch(/undefined|\[object Object\]/)
        if (path !== '/docs') expect(text).toContain('lang="en" dir="ltr" data-copy=')
        for (const other of paths) expect(text, path).toContain(`href="${other}?lang=${locale}"`)
      }
    },
  )

  it('has an anchor for every link within it', async () => {
    const pages = new Map<string, string>()
    for (const path of paths) pages.set(path, (await get(`${path}?lang=en`)).text)
    const broken = [...pages].flatMap(([path, text]) =>
      hrefs(text)
        .filter((to) => to.includes('#'))
        .map((to) => new URL(to, `${origin}${path}`))
        .filter((to) => to.origin === origin)
        .filter(({ pathname, hash }) => !pages.get(pathname)?.includes(` id="${decodeURIComponent(hash.slice(1))}"`))
        .map((to) => `${path}: ${to.href}`),
    )
    expect(broken).toEqual([])
  })

  it('describes each endpoint with its fields, bounds, errors, and samples in four languages', async () => {
    for (const { method, path, summary, tag } of routes) {
      const { text } = await get(`/docs/api-${tag.toLowerCase()}`)
      expect(text).toContain(`<strong>${method}</strong> <code>/api${path.replace(/:(\w+)/g, '{$1}')}</code>`)
      expect(text).toContain(`>${summary}</h2>`)
    }
    const { text } = await get('/docs/api-earning')
    for (const part of [
      'up to 9999999999.99',
      'at most 255 characters',
      'Idempotency-Key',
      'Another earning or rating',
    ])
      expect(text).toContain(part)
    expect(text.match(/<summary>(curl|TypeScript|PHP|Python)<\/summary>/g)).toHaveLength(12)
  })

  it('loads nothing from other origins, and its policy forbids it', async () => {
    for (const path of paths) {
      const { headers, text } = await get(path)
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'; font-src 'self';/)
      expect(headers['set-cookie']).toBeUndefined()
      const loaded = [...text.matchAll(/<(?:link|script|img)[^>]*(?:href|src)="([^"]*)"/g)].map(([, to]) => to)
      expect(loaded.filter((to) => !to?.startsWith('/assets/'))).toEqual([])
      expect(text).not.toMatch(/<style|<img|<iframe|\sstyle=|\son\w+=/)
    }
  })

  it('answers an unknown page with 404, and other methods with 405', async () => {
    expect((await get('/docs/unknown')).status).toBe(404)
    expect(await server.call('POST', '/docs')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
    expect(await server.call('HEAD', '/docs')).toMatchObject({ status: 200, text: '' })
  })
})

describe('on the wire', () => {
  const sizeOf = async (path: string) => {
    const { headers, bytes } = await getBytes(path)
    expect(headers['content-encoding'], path).toBe('br')
    expect(brotliDecompressSync(bytes).length).toBeGreaterThan(bytes.length)
    return bytes.length
  }

  it('every page has at most 20 kB, and the index of the search 40 kB', async () => {
    for (const path of paths) expect([path, (await sizeOf(path)) < 20_000]).toEqual([path, true])
    expect(await sizeOf('/docs/search.json')).toBeLessThan(40_000)
  })

  it('a page that the browser has is not sent again; one in another language is', async () => {
    const { headers } = await get('/docs/checkout?lang=en')
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Accept-Encoding, Accept-Language, Cookie' })
    const known = { 'if-none-match': String(headers['etag']) }
    expect(await get('/docs/checkout?lang=en', known)).toMatchObject({ status: 304, text: '' })
    expect((await get('/docs/checkout?lang=ar', known)).status).toBe(200)
  })

  async function getBytes(path: string) {
    return new Promise<{ headers: Readonly<Record<string, unknown>>; bytes: Buffer }>((done, fail) => {
      const sent = request(`${origin}${path}`, { headers: { 'accept-encoding': 'br' }, rejectUnauthorized: false })
      sent.once('error', fail).once('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('end', () => done({ headers: response.headers, bytes: Buffer.concat(chunks) }))
      })
      sent.end()
    })
  }
})

describe('in a browser', () => {
  const browser = testBrowser()

  it.each([
    ['en', '/docs/checkout', 'phone', 'light'],
    ['ar', '/docs/checkout', 'desktop', 'dark'],
    ['ar', '/docs', 'phone', 'light'],
    ['ar', '/docs/api-earning', 'phone', 'dark'],
    ['en', '/docs/api-earning', 'desktop', 'light'],
  ] as const)('is accessible and fits: %s %s on a %s, %s', async (locale, path, device, mode) => {
    const page = await browser.open({ origin, locale, device, dark: mode === 'dark' })
    await page.goto(`${origin}${path}`)
    await screenshot(page, `docs-${path.split('/').at(-1)}-${locale}-${device}-${mode}`)
    await expectToFit(page)
    await expectAccessible(page)
  })

  it.each([
    ['en', 'signature metadata', '/docs/checkout?lang=en#sign-it'],
    ['ar', 'استرداد', '/docs/errors?lang=ar'],
    ['ar', 'refund', '/docs/api-orders?lang=ar#postOrdersOrderUuidRefund'],
  ] as const)('finds in %s by "%s"', async (locale: Locale, typed, place) => {
    const page = await browser.open({ origin, locale, device: 'desktop' })
    await page.goto(`${origin}/docs`)
    await page.getByRole('searchbox').fill(typed)
    const link = page.locator(`.docs-search a[href^="${place}"]`).first()
    await link.waitFor()
    await link.click()
    await page.waitForURL((url) => url.href.startsWith(`${origin}${place}`))
  })

  it('says when nothing is found', async () => {
    const page = await browser.open({ origin, locale: 'ar' })
    await page.goto(`${origin}/docs`)
    await page.getByRole('searchbox').fill('zzzz')
    await page.getByText('لا توجد نتائج').waitFor()
  })

  it('opens the same language in every sample, and shows one at a time', async () => {
    const page = await browser.open({ origin })
    await page.goto(`${origin}/docs/api-earning`)
    await page.locator('summary', { hasText: 'Python' }).first().click()
    await page.locator('summary', { hasText: 'PHP' }).first().click()
    await expect
      .poll(() => page.locator('details[data-language][open] > summary').allInnerTexts())
      .toEqual(['PHP', 'PHP', 'PHP'])
    await expectToFit(page)
  })

  it('works without scripts: every page is listed, and no search is shown', async () => {
    const page = await browser.open({ origin, scripts: false })
    await page.goto(`${origin}/docs`)
    expect(await page.getByRole('searchbox').count()).toBe(0)
    await page.locator('.docs-home a', { hasText: 'Webhooks' }).first().click()
    await page.locator('h1', { hasText: 'Webhooks' }).waitFor()
  })

  it('is printed without navigation', async () => {
    const page = await browser.open({ origin, device: 'desktop' })
    await page.goto(`${origin}/docs/widget`)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.docs-side').isVisible()).toBe(false)
    expect(await page.locator('h1').isVisible()).toBe(true)
  })
})
