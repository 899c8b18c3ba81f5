import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { hasScripts } from './browser.ts'
import type { Shopper } from './shopper.ts'

/** Continues a shopper's visit in Chromium, with the same cookies. */
export async function continueAs(context: BrowserContext, me: Shopper, origin: string): Promise<void> {
  await context.clearCookies()
  const cookies = [...me.cookies].map(([name, value]) => ({ name, value }))
  await context.addCookies(
    cookies.map((cookie) => ({
      ...cookie,
      url: origin,
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
    })),
  )
}

/** Submits the form whose `do` field has this value; `card` is the form without `do`. */
export async function press(page: Page, what: string): Promise<void> {
  const form = what === 'card' ? 'form:has(input[name="card"])' : `form:has(input[name="do"][value="${what}"])`
  await page.locator(`${form} button`).first().click()
}

/** Proves a phone, from the page that asks for its code. With scripts, the code is sent at its sixth digit. */
export async function enterCode(page: Page): Promise<void> {
  const code = await page.locator('[data-code]').innerText()
  await page.waitForLoadState()
  await page.locator('input[name="code"]').fill(code)
  if (!hasScripts(page)) await press(page, 'code')
}

/** Waits for the page whose heading says this, with its scripts. */
export async function expectHeading(page: Page, text: string): Promise<void> {
  await page.locator('h1', { hasText: text }).waitFor()
  await page.waitForLoadState()
  expect(await page.locator('h1').count()).toBe(1)
}
