import { afterAll, beforeAll, describe, it } from 'vitest'
import { assetPage } from '../../src/pages/assets.ts'
import { showFailure } from '../../src/pages/failure.ts'
import { startServer, type TestServer } from '../http/support.ts'
import { expectAccessible, expectToFit, screenshot, testBrowser } from '../support/browser.ts'
import { galleryListPage, galleryPage, galleryWaitingPage } from './gallery.ts'

let server: TestServer
beforeAll(async () => {
  const rows = [galleryPage, galleryListPage, galleryWaitingPage, assetPage]
  server = await startServer([], {}, { pages: { rows, showFailure } })
})
afterAll(() => server.stop())

const browser = testBrowser()
const origin = () => `https://localhost:${server.port}`

describe('every component', () => {
  for (const device of ['phone', 'desktop'] as const)
    for (const locale of ['ar', 'en'] as const)
      for (const dark of [false, true])
        it(`can be read and used on a ${device}, ${locale}, ${dark ? 'dark' : 'light'}`, async () => {
          const page = await browser.open({ origin: origin(), device, locale, dark })
          for (const [name, path] of [
            ['form', '/gallery'],
            ['wrong', '/gallery?wrong=1'],
            ['brand', '/gallery?colour=%23d6336c'],
            ['list', '/gallery/list'],
            ['wide', '/gallery/list?wide=1'],
            ['waiting', '/gallery/waiting'],
          ]) {
            await page.goto(`${origin()}${path}`)
            await screenshot(page, `gallery-${name}-${device}-${locale}-${dark ? 'dark' : 'light'}`)
            await expectAccessible(page)
            await expectToFit(page)
          }
        })
})
