import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Locale } from '../../src/domain/locale.ts'
import {
  expectAccessible,
  expectToFit,
  resize,
  screenshot,
  type TestBrowser,
  takesPictures,
  type VisitOptions,
  waitUntilQuiet,
} from './browser.ts'
import type { StaffedShop } from './staff-pages.ts'

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
  /** Default: a desk, of whatever width. */
  readonly device?: 'phone'
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

/** Makes a webhook of a shop, and opens its page. */
export async function openWebhook(
  browser: TestBrowser,
  { pages, origin, pathOf }: StaffedShop,
  visit: Pick<DashboardVisit, 'mayFail'> = {},
): Promise<Page> {
  const { body } = await pages.as('owner', 'POST', '/webhooks', { name: 'Shop', url: 'https://shop.example/events' })
  const { uuid } = body.data as { uuid: string }
  return openDashboard(browser, { origin, path: pathOf(`webhooks/${uuid}`), ...visit })
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
  await page.locator('h1, h2').filter({ visible: true }).first().waitFor()
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

const locales = ['en', 'ar'] as const

/** Long runs and pictures show every language in every scheme at every width, and examine all of them. */
const everywhere = process.env['NUQTA_TEST_LONG'] === '1' || takesPictures

interface Turn {
  /** A colour scheme does not change the layout: each language appears in one at every width. */
  readonly scheme: Readonly<Record<Locale, 'light' | 'dark'>>
  /** Axe checks both languages, and so both schemes, as on a desk. This one also as on a phone. */
  readonly on_a_phone: Locale
}

/** Pages take turns in how they are shown. Together they have every language in every scheme, as on a phone and as on a desk. */
function turnOf({ length }: string): Turn {
  return {
    scheme: length % 2 === 0 ? { en: 'light', ar: 'dark' } : { en: 'dark', ar: 'light' },
    on_a_phone: length % 4 < 2 ? 'ar' : 'en',
  }
}

interface Visited extends DashboardVisit {
  /** What else a page must have, in each language. */
  readonly check?: (page: Page, locale: Locale) => Promise<void>
}

/** Opens a page by its URL, and examines it. */
export function visitPage(browser: TestBrowser, name: string, { path, ...visit }: Visited): Promise<void> {
  return visitPages(browser, { ...visit, paths: { [name]: path } })
}

/**
 * Opens the first page by its URL, goes on to the others as links do, which takes a third of the time, and examines each. Another
 * test opens those others by their URLs.
 */
export async function visitPages(
  browser: TestBrowser,
  { paths, check, ...visit }: Omit<Visited, 'path'> & { readonly paths: Readonly<Record<string, string>> },
): Promise<void> {
  const [[name, path] = ['', ''], ...others] = Object.entries(paths)
  const page = await openDashboard(browser, { ...visit, path, locale: 'en', dark: turnOf(name).scheme.en === 'dark' })
  await examine(page, name, check)
  for (const [other, itsPath] of others) {
    await moveTo(page, itsPath)
    await examine(page, other, check)
  }
  await browser.leave(page)
}

/** Whether the browser would ask before it closes a page, because something was typed or is shown once. */
export const browserAsks = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`)

/** The question of the dashboard before it leaves a page. */
export const leaveQuestion = (page: Page, name = 'Leave without saving?') => page.getByRole('dialog', { name })

/** What leads a page to another one as a link does. The router counts its pages, to undo a Back that a page has stopped. */
export const push = (path: string): string =>
  `history.pushState({ __TSR_index: history.state.__TSR_index + 1 }, '', '/dashboard${path}')`

/** Moves an open page to another one as a link does, which has a title of its own. */
export async function moveTo(page: Page, path: string): Promise<void> {
  const title = await page.title()
  await page.evaluate(push(path))
  await expect.poll(() => page.title()).not.toBe(title)
  await settled(page)
}

/**
 * Shows a page in both languages, one in a light and the other in a dark scheme, at three widths. The page must fit, be
 * accessible, and respect its policy. With NUQTA_TEST_PICTURES=1 it saves a screenshot of each, and of the other schemes.
 * The page stays in the language and size that came last.
 */
export async function examine(page: Page, name: string, check?: Visited['check']): Promise<void> {
  const turn = turnOf(name)
  const isArabic = (await page.locator(':root').getAttribute('lang')) === 'ar'
  for (const locale of isArabic ? locales.toReversed() : locales) {
    await showIn(page, locale)
    await check?.(page, locale)
    for (const scheme of everywhere ? (['light', 'dark'] as const) : [turn.scheme[locale]]) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.locator(`:root[data-mantine-color-scheme="${scheme}"]`).waitFor()
      for (const width of widthsFrom(page)) {
        if (page.viewportSize()?.width !== width) await resize(page, { width, height: width < 500 ? 740 : 900 })
        await expectToFit(page)
        const isExamined = width === 1440 || (width === 360 && turn.on_a_phone === locale)
        if (everywhere || isExamined) await expectAccessible(page)
        await screenshot(page, `${name}-${locale}-${scheme}-${width}`)
      }
    }
  }
}

/** All widths, beginning with the one that a page has, if it has one of them. */
function widthsFrom(page: Page): readonly number[] {
  return page.viewportSize()?.width === widths[0] ? widths : widths.toReversed()
}

/** Shows an open page in a language, as if another tab of its browser had chosen it. */
async function showIn(page: Page, locale: Locale): Promise<void> {
  const shown = page.locator(`:root[lang="${locale}"]`)
  if ((await shown.count()) > 0) return
  const event = `new StorageEvent('storage', { key: 'nuqta-locale', newValue: '${locale}' })`
  await page.evaluate(`localStorage.setItem('nuqta-locale', '${locale}'); dispatchEvent(${event})`)
  await shown.waitFor()
  await settled(page)
}
