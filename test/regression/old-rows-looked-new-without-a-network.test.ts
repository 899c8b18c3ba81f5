import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectToFit, screenshot, testBrowser, useOnce } from '../support/browser.ts'
import { settled } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)

const texts = {
  en: { name: 'Orders', old: /^Not up to date: last read .+ The service cannot be reached\./, again: 'Try again' },
  ar: { name: 'الطلبات', old: /^البيانات غير محدّثة\. آخر تحديث: .+ تعذّر الوصول إلى الخدمة\./, again: 'أعد المحاولة' },
} as const

interface Look {
  readonly locale: 'en' | 'ar'
  readonly device: 'phone' | 'desktop'
}

async function openOrders({ locale, device }: Look): Promise<Page> {
  await earningOrder(database.db, staff.shop.merchant, { clock })
  const { origin } = staff
  const page = await browser.open({ origin, locale, device, maySay: /ERR_FAILED/ })
  useOnce(page)
  await page.goto(`${origin}/dashboard${staff.pathOf('orders')}`)
  await settled(page)
  return page
}

/** Has the page read its rows again, as when its tab comes back to the front a while later. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.fastForward(60_000)
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
}

const cases = (['en', 'ar'] as const).flatMap((locale) =>
  (['phone', 'desktop'] as const).map((device) => ({ locale, device })),
)

// Rows stayed as they were, whatever had happened since, and nothing said so.
it.each(cases)('rows that cannot be read again say how old they are ($locale, $device)', async (look) => {
  const { name, old, again } = texts[look.locale]
  const page = await openOrders(look)
  const line = page.getByRole('main').getByRole('status')
  const rows = page.getByRole('table', { name }).getByRole('row')
  const count = await rows.count()
  expect([count > 1, await line.textContent()]).toEqual([true, ''])
  await page.clock.install()
  await page.route('**', (route) => route.abort())
  await comeBack(page)
  await expect.poll(() => line.textContent()).toMatch(old)
  expect(await rows.count()).toBe(count)
  await expectToFit(page)
  await expectAccessible(page)
  await screenshot(page, `old-rows-${look.locale}-${look.device}`)
  await page.unroute('**')
  await page.getByRole('button', { name: again }).click()
  await expect.poll(() => line.textContent()).toBe('')
})
