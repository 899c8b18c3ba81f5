import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { testApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { root } from '../support/tree.ts'

const app = testApp(testDatabase())

const nonceOf = (policy: unknown) => /'nonce-([^']+)'/.exec(String(policy))?.[1]

describe('the app of the dashboard', () => {
  it('is the same uncached document at every page', async () => {
    for (const path of [
      '/dashboard',
      '/dashboard/',
      '/dashboard/sign-in',
      '/dashboard/m/1/orders/x',
      '/dashboard/m/7/',
      '/dashboard/p/1/merchants',
      '/dashboard/operator/health',
    ]) {
      const { status, headers, text: body } = await app().page(path)
      expect([path, status, headers['cache-control'], headers['content-type']]).toEqual([
        path,
        200,
        'no-store',
        'text/html; charset=utf-8',
      ])
      expect(body).toContain('<div id="app">')
    }
  })

  it('runs only its own scripts, and requests nothing from others', async () => {
    const { headers, text: html } = await app().page('/dashboard/')
    const nonce = nonceOf(headers['content-security-policy'])
    expect(nonce).toMatch(/^[\w+/]{22}==$/)
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
    expect(headers['permissions-policy']).toContain('camera=()')
    expect(html).not.toMatch(/<script(?![^>]* src="\/dashboard\/assets\/)/)
    // What a page without its files says is styled by its own text.
    expect(html.match(/<style[^>]*>/g)).toEqual([`<style nonce="${nonce}">`])
    expect(html).not.toMatch(/\son\w+=|\sstyle=|https?:\/\//)
    expect(html).toContain(`<meta name="style-nonce" nonce="${nonce}">`)
  })

  it('has another nonce each time', async () => {
    const [one, two] = await Promise.all([app().page('/dashboard/'), app().page('/dashboard/')])
    expect(nonceOf(one.headers['content-security-policy'])).not.toBe(nonceOf(two.headers['content-security-policy']))
  })

  it('says whether the service is a sandbox', async () => {
    expect((await app().page('/dashboard/')).text).toContain('<meta name="environment" content="sandbox">')
  })
})

describe('its files', () => {
  const script = async () => /\/dashboard\/assets\/[\w.-]+\.js/.exec((await app().page('/dashboard/')).text)?.[0] ?? ''

  it('are cached for ever, and are compressed as the browser accepts', async () => {
    const path = await script()
    const plain = await app().page(path)
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    })
    expect(plain.headers['content-encoding']).toBeUndefined()
    const encodings = ['gzip, br', 'gzip', 'br;q=0']
    const answers = encodings.map(async (encoding) => (await app().page(path, { 'accept-encoding': encoding })).headers)
    const known = (await Promise.all(answers)).map((headers) => [
      headers['content-encoding'],
      headers['content-length'],
    ])
    const onDisk = (ending: string) => String(statSync(`${root}dist${path}${ending}`).size)
    expect(known).toEqual([
      ['br', onDisk('.br')],
      ['gzip', onDisk('.gz')],
      [undefined, onDisk('')],
    ])
  })

  it('are those of the build alone', async () => {
    const path = await script()
    for (const wrong of ['x.js', '..%2findex.html', '..%2fmanifest.json', 'manifest.json'])
      expect([wrong, (await app().page(`/dashboard/assets/${wrong}`)).status]).toEqual([wrong, 404])
    expect((await app().page(`${path}.br`)).status).toBe(404)
  })
})

describe('the API beside it', () => {
  it('answers an unknown path with its envelope, never with the app', async () => {
    for (const path of ['/dashboard/api', '/dashboard/api/', '/dashboard/api/nothing', '/dashboard/api/m/1']) {
      const { status, headers } = await app().page(path, { accept: 'text/html' })
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'application/json; charset=utf-8'])
    }
  })
})
