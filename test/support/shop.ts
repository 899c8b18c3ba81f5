import { createServer } from 'node:http'
import { afterAll, beforeAll } from 'vitest'
import { type PointsPerSarE4, parsePointsPerSar } from '../../src/domain/points.ts'

/** The answer of the shop's server. */
export interface ShopPage {
  readonly head?: string
  readonly body: string
  readonly lang?: 'ar' | 'en'
  /** Its Content-Security-Policy. */
  readonly policy?: string
}

/** A merchant's shop on its own origin. It serves the page that the test built last. */
export interface Shop {
  readonly origin: string
  build(page: ShopPage): string
}

/** A shop for the tests of a file. */
export function testShop(): Shop {
  let shown: ShopPage = { body: '' }
  let port = 0
  const server = createServer((request, response) => {
    if (request.url !== '/') {
      response.writeHead(request.url === '/favicon.ico' ? 204 : 404).end()
      return
    }
    const { head = '', body, lang = 'en', policy } = shown
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(policy === undefined ? {} : { 'content-security-policy': policy }),
    })
    const dir = lang === 'ar' ? 'rtl' : 'ltr'
    response.end(`<!doctype html><html lang="${lang}" dir="${dir}"><head><title>Shop</title>
<meta name="viewport" content="width=device-width">${head}</head><body>${body}</body></html>`)
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const address = server.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    get origin() {
      return `http://127.0.0.1:${port}`
    },
    build(page) {
      shown = page
      return `http://127.0.0.1:${port}/`
    },
  }
}

/** An earn rate, in points per SAR. */
export function rate(points_per_sar: number): PointsPerSarE4 {
  const parsed = parsePointsPerSar(points_per_sar)
  if (parsed === null) throw new Error(`no rate: ${points_per_sar}`)
  return parsed
}
