import type { BrowserContext, Page } from 'playwright-core'
import type { Locale } from '../../src/domain/locale.ts'
import {
  expectAccessible,
  expectToFit,
  screenshot,
  type TestBrowser,
  takesPictures,
  type VisitOptions,
  waitUntilQuiet,
} from './browser.ts'

/** Pages of the dashboard in Chromium. */

/** A person who looks at a page. */
export interface Viewer {
  /** The cookies of somebody who is signed in. */
  readonly cookies: ReadonlyMap<string, string>
}

export interface DashboardVisit {
  /** Where the service is. */
  readonly origin: string
  /** Below `/dashboard`, such as `/m/1/orders`. */
  readonly path: string
  /** Default: nobody is signed in. */
  readonly viewer?: Viewer
  readonly locale?: Locale
  readonly dark?: boolean
  readonly width?: number
  /** Answers in place of the service's own: `data` of envelopes by path below `/dashboard/api`. */
  readonly answers?: Readonly<Record<string, object>>
  readonly mayFail?: RegExp
}

/** Opens a page of the dashboard, and waits until it is drawn and has all its answers. */
export async function openDashboard(browser: TestBrowser, visit: DashboardVisit): Promise<Page> {
  const { origin, path, viewer, answers = {}, mayFail = /\/dashboard\/api\/session$/, ...look } = visit
  const options: VisitOptions = { origin, device: 'desktop', mayFail, ...look }
  const page = await browser.open(options)
  await showAs(page.context(), origin, viewer, answers)
  await page.goto(`${origin}/dashboard${path}`)
  await settled(page)
  return page
}

async function showAs(
  context: BrowserContext,
  url: string,
  viewer: Viewer | undefined,
  answers: Readonly<Record<string, object>>,
): Promise<void> {
  const cookies = [...(viewer?.cookies ?? [])]
  await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: `${url}/`, secure: true })))
  for (const [path, data] of Object.entries(answers)) {
    const body = { status: true, message: '', appended_data: {}, data }
    await context.route(`${url}/dashboard/api${path}`, (route) => route.fulfill({ json: body }))
  }
}

/** Waits until a page has its heading, and nothing on it is still loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1, h2').first().waitFor()
  await waitUntilQuiet(page)
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
}

/** The password of everybody in the tests. */
export const password = 'a calm walnut beside the harbour'

/** Fills in the page that asks for a sign-in. */
export async function signIn(page: Page, email: string, word = password): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(word)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const widths = [360, 768, 1440] as const

/** The scheme in which the first language ends is the one in which the second begins: to draw a page in another takes time. */
const schemes = { en: ['light', 'dark'], ar: ['dark', 'light'] } as const

/** Long runs and pictures show every language in every scheme at every width. */
const everywhere = process.env['NUQTA_TEST_LONG'] === '1' || takesPictures

/** A colour scheme does not change the layout: each language appears at every width once, in either scheme. */
const shown = {
  en: ['light 1440', 'light 768', 'dark 360'],
  ar: ['dark 360', 'dark 768', 'light 1440'],
}

/**
 * The visits that axe checks. Each page has both languages, both schemes, and the layouts of a phone and of a desk; pages take
 * turns, so that together they have every scheme at both widths in both languages.
 */
const turns = [
  { en: 'light 1440', ar: 'dark 360' },
  { en: 'dark 360', ar: 'light 1440' },
] as const

/**
 * Visits a page in both languages, light and dark, at three widths. The page must fit, be accessible, and respect its
 * policy. With NUQTA_TEST_PICTURES=1 it saves a screenshot of each.
 */
export async function visitPage(
  browser: TestBrowser,
  name: string,
  { check, ...visit }: DashboardVisit & { readonly check?: (page: Page, locale: Locale) => Promise<void> },
): Promise<void> {
  const page = await openDashboard(browser, { ...visit, locale: 'en' })
  for (const locale of ['en', 'ar'] as const) {
    if (locale === 'ar') await showIn(page, locale)
    await check?.(page, locale)
    for (const scheme of schemes[locale]) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.locator(`:root[data-mantine-color-scheme="${scheme}"]`).waitFor()
      for (const width of widths) {
        const look = `${scheme} ${width}`
        if (!everywhere && !shown[locale].includes(look)) continue
        await page.setViewportSize({ width, height: width < 500 ? 740 : 900 })
        await expectToFit(page)
        if (everywhere || look === turns[name.length % 2]?.[locale]) await expectAccessible(page)
        await screenshot(page, `${name}-${locale}-${scheme}-${width}`)
      }
    }
  }
  await browser.leave(page)
}

/** Shows an open page in another language, as if another tab of its browser had chosen it. */
async function showIn(page: Page, locale: Locale): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  const event = `new StorageEvent('storage', { key: 'nuqta-locale', newValue: '${locale}' })`
  await page.evaluate(`localStorage.setItem('nuqta-locale', '${locale}'); dispatchEvent(${event})`)
  await page.locator(`:root[lang="${locale}"]`).waitFor()
  await settled(page)
}
