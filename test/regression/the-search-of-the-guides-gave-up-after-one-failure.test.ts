import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildOpenApi } from '../../src/http/api/openapi.ts'
import { assetPage } from '../../src/pages/design/assets.ts'
import { showFailure } from '../../src/pages/design/failure.ts'
import type { ApiDescription } from '../../src/pages/docs/description.ts'
import { docsPages } from '../../src/pages/docs/page.ts'
import { routes } from '../../src/routes.ts'
import { startServer, type TestServer } from '../http/support.ts'
import { testBrowser } from '../support/browser.ts'

const browser = testBrowser()
let server: TestServer
beforeAll(async () => {
  const docs = docsPages(() => buildOpenApi(routes) as ApiDescription)
  const services = { operator: { name: null, contact: null } }
  server = await startServer([], services, { pages: { rows: [...docs, assetPage], showFailure } })
})
afterAll(() => server.stop())

// The search asks for its index once. Where that failed once, it said "Nothing found" until the page was loaded again.
it('the search of the guides asks for its index again after a failure', async () => {
  const origin = `https://localhost:${server.port}`
  const index = /\/docs\/search\.json/
  const page = await browser.open({ origin, mayFail: index })
  await page.goto(`${origin}/docs`)
  await page.route(index, (route) => route.fulfill({ status: 503, body: '' }))
  const failed = page.waitForResponse(index)
  await page.getByRole('searchbox').fill('s')
  await failed
  await page.unroute(index)
  const found = page.locator('.docs-search a')
  // The failure may reach the page only after a letter.
  const type = async () => {
    await page.getByRole('searchbox').fill('signature')
    return found.count()
  }
  await expect.poll(type).toBeGreaterThan(0)
})
