import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { assetPage, assetUrl, loadAssets } from '../../src/pages/design/assets.ts'
import { html } from '../../src/pages/design/html.ts'
import { layout } from '../../src/pages/design/layout.ts'
import { pages } from '../../src/routes.ts'
import { testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

const database = testDatabase()
const app = testApp(database)

const names = [...loadAssets().keys()]

/** Requests an asset with its content encoding, without decoding the body. */
async function fetchRaw(path: string, encoding?: string): Promise<{ headers: Headers; body: Buffer }> {
  const headers: Record<string, string> = encoding === undefined ? {} : { 'accept-encoding': encoding }
  const request = { params: { file: path.split('/').at(-1) ?? '' }, headers }
  const page = await assetPage.show?.(request as never, {})
  if (page === undefined) throw new Error('assets are shown')
  return { headers: new Headers(page.headers), body: Buffer.from(page.body) }
}

describe('assets', () => {
  it('are the stylesheets, the fonts, the icon and the scripts', () => {
    expect(names).toEqual(expect.arrayContaining(['nuqta.css', 'docs.css', 'favicon.svg', 'forms.js']))
    expect(names.filter((name) => name.endsWith('.woff2')).sort()).toEqual([
      'plex-arabic-400.woff2',
      'plex-arabic-600.woff2',
      'plex-latin-400.woff2',
      'plex-latin-600.woff2',
    ])
    expect(() => assetUrl('other.js')).toThrow('no asset is named other.js')
  })

  it.each(names)('%s can be cached for ever under a URL with its hash, and sets no cookie', async (name) => {
    const reply = await app().page(assetUrl(name), { cookie: '__Host-nuqta-lang=ar' })
    expect(reply.status).toBe(200)
    expect(reply.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    })
    const types = {
      css: 'text/css; charset=utf-8',
      ico: 'image/x-icon',
      js: 'text/javascript; charset=utf-8',
      png: 'image/png',
      svg: 'image/svg+xml',
      woff2: 'font/woff2',
    }
    expect(reply.headers['content-type']).toBe(types[name.split('.').at(-1) as keyof typeof types])
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(assetUrl(name)).toMatch(/^\/assets\/[a-z0-9-]+\.[0-9a-f]{12}\.(css|ico|js|png|svg|woff2)$/)
  })

  it('are compressed for browsers that accept it', async () => {
    const url = assetUrl('nuqta.css')
    const plain = await fetchRaw(url)
    expect(plain.headers.get('content-encoding')).toBeNull()
    const [br, gzip] = [await fetchRaw(url, 'gzip, deflate, br'), await fetchRaw(url, 'gzip;q=1.0, br;q=0')]
    expect([br.headers.get('content-encoding'), gzip.headers.get('content-encoding')]).toEqual(['br', 'gzip'])
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true)
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true)
    expect((await fetchRaw(assetUrl('plex-latin-400.woff2'), 'br')).headers.get('content-encoding')).toBeNull()
    const head = await app().send('HEAD', url, { headers: { 'accept-encoding': 'br' } })
    expect(head.headers['content-length']).toBe(String(br.body.length))
  })

  it.each(['nuqta.000000000000.css', 'nuqta.css', '..%2flayout.ts', '%2e%2e%2f%2e%2e%2fpackage.json', '__proto__'])(
    'answer 404 under another name: %s',
    async (file) => {
      const reply = await app().page(`/assets/${file}`)
      expect(reply).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } })
    },
  )

  it('load nothing from other origins', async () => {
    for (const name of names.filter((one) => /\.(css|js)$/.test(one))) {
      const text = (await fetchRaw(assetUrl(name))).body.toString()
      const places = [...text.matchAll(/url\("?([^")]*)"?\)|@import|https?:\/\/[^\s"')]+/g)].map(
        ([whole, own]) => own ?? whole,
      )
      const own = new Set(names.map(assetUrl))
      expect(
        places.filter((place) => !own.has(place)),
        name,
      ).toEqual([])
    }
  })
})

describe('a page', () => {
  it('loads a stylesheet below 8 kB and scripts below 5 kB each, the widget below 8 kB, compressed', async () => {
    const size = async (name: string) => gzipSync((await fetchRaw(assetUrl(name))).body, { level: 9 }).length
    expect(await size('nuqta.css')).toBeLessThan(8_000)
    for (const name of names.filter((one) => one.endsWith('.js')))
      expect(await size(name), name).toBeLessThan(name === 'widget.js' ? 8_000 : 5_000)
  })

  it('has a policy that allows only what it uses: its scripts, a nonce for the brand colour, the targets of its forms', () => {
    const content = { status: 200, locale: 'en', title: 'A', body: html`<h1>A</h1>` } as const
    const policy = (page: ReturnType<typeof layout>) => page.headers['content-security-policy']
    expect(policy(layout(content))).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    const whole = layout({
      ...content,
      brand: { name: 'Shop', colour: '#d6336c' as never },
      scripts: ['forms'],
      formTo: ['https://pay.example'],
    })
    const nonce = /<style nonce="([^"]+)">/.exec(String(whole.body))?.[1]
    expect(nonce).toMatch(/^[\w+/]{22}==$/)
    expect(policy(whole)).toBe(
      `default-src 'none'; style-src 'self' 'nonce-${nonce}'; font-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; form-action 'self' https://pay.example; base-uri 'none'; frame-ancestors 'none'`,
    )
    expect(String(layout({ ...content, brand: { name: 'Shop', colour: '#d6336c' as never } }).body)).not.toContain(
      nonce,
    )
  })
})

describe('the page table', () => {
  it('lists each path once, and none below /api', () => {
    const paths = pages.rows.map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    expect(paths.filter((path) => path.startsWith('/api'))).toEqual([])
    for (const { path, show, submit } of pages.rows) expect([path, show ?? submit]).not.toEqual([path, undefined])
  })
})
