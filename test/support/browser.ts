import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page, type Request } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Locale } from '../../src/domain/locale.ts'
import { certificateHash } from './authority.ts'
import { root } from './tree.ts'
import { waitFor } from './wait.ts'

// The headless shell draws the same pages, and opens a fresh profile in a third of the time.
const places = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

/** The path of Chromium; `none` leaves its tests out. */
const named = process.env['NUQTA_TEST_CHROMIUM']

/** The path from the settings, or where systems install it. */
const executablePath =
  named === 'none' ? undefined : [named, ...places].find((path) => path !== undefined && existsSync(path))

/** Chromium caches files only of servers whose certificate it knows; from any other it fetches them with each page. */
const args = async () => [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  // A page is few tiles that are drawn as a whole, and its requests pass through no process of their own: both cost less.
  // Without a new host for each document of a site, opening a page takes three quarters of the time.
  '--default-tile-width=1440',
  '--default-tile-height=1024',
  '--enable-features=NetworkServiceInProcess2,RenderDocument:level/crashed-frame',
  // Pages live for seconds: optimising their code costs more than it saves.
  '--js-flags=--no-opt,--no-maglev',
  `--ignore-certificate-errors-spki-list=${await certificateHash()}`,
]

const mustRun = process.env['CI'] === 'true' && named !== 'none'

/** Screenshots take longer than the pages they show: take them of failures only, unless the environment asks for all. */
export const takesPictures = process.env['NUQTA_TEST_PICTURES'] === '1'

/** The limit of every wait in the browser. It only ends a test that hangs, also on a busy machine. */
const patience_ms = 180_000

const devices = {
  phone: {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: takesPictures ? 2 : 1,
    isMobile: true,
    hasTouch: true,
  },
  desktop: { viewport: { width: 1280, height: 800 } },
}

export interface VisitOptions {
  /** The origin of the service. A request to any other origin fails the test. */
  readonly origin: string
  readonly device?: keyof typeof devices
  readonly locale?: Locale
  /** False: without JavaScript. */
  readonly scripts?: boolean
  readonly dark?: boolean
  readonly motion?: boolean
  readonly width?: number
  /** Origins of merchants that a page may lead to; an empty page answers there. */
  readonly leadsTo?: readonly string[]
  /** Origins of merchants whose own servers answer. */
  readonly shops?: readonly string[]
  /** Paths whose requests may be answered with a failure, such as the session of somebody who is not signed in. */
  readonly mayFail?: RegExp
  /** What the console may say, such as that a policy refused what the test tries. */
  readonly maySay?: RegExp
}

export interface TestBrowser {
  /** Opens a page as in a fresh profile, until the end of the test. */
  open(options: VisitOptions): Promise<Page>
  /** Gives a page back before the end of the test. */
  leave(page: Page): Promise<void>
}

/**
 * A profile with its page. A page that was used before, emptied of all that a site can store, opens the next one in a third
 * of the time of a fresh profile, which starts a process.
 */
interface Profile {
  readonly page: Page
  /** What cannot be changed later. */
  readonly made_for: string
  /** The visit that goes on; undefined between two of them. */
  visit: Visit | undefined
}

interface Visit {
  readonly options: VisitOptions
  /** Where the page has been. */
  readonly origins: Set<string>
  readonly navigated: Set<string>
  /** What answers in place of servers. */
  readonly answering: CDPSession[]
}

/** Pages that no other test may use. */
const usedUp = new WeakSet<Page>()

/** Keeps a page from other tests: for what cannot be undone, such as scripts added to every document, or a stopped clock. */
export function useOnce(page: Page): void {
  usedUp.add(page)
}

/** Chromium, which all files of a worker share. It ends with the worker. */
let chromiumOfWorker: Promise<Browser> | undefined

async function startChromium(executablePath: string): Promise<Browser> {
  const running = await chromiumOfWorker
  if (running?.isConnected()) return running
  // Those of a browser that has ended are of no use.
  free.length = 0
  chromiumOfWorker = args().then((flags) => chromium.launch({ executablePath, args: flags }))
  return chromiumOfWorker
}

/** Profiles between two visits, the one that was used last at the end. Each has a process of its own. */
const free: Profile[] = []
const most_free = 8

/** Profiles of the visits of this test. */
const used: Profile[] = []

/** What the visits of this test did that they must not do. */
const problems: string[] = []

/**
 * Chromium for the tests of a file or of a `describe`. Each test fails with a request to another origin, an error in the
 * console, or something that the pages' policy forbids. Without Chromium the tests are skipped, and in CI they fail.
 */
export function testBrowser(): TestBrowser {
  let browser: Browser | undefined
  beforeAll(async () => {
    if (executablePath === undefined && mustRun) throw new Error('Chromium is not installed')
    if (executablePath !== undefined) browser = await startChromium(executablePath)
  })
  beforeEach(({ skip }) =>
    skip(executablePath === undefined, 'Chromium is not installed, or NUQTA_TEST_CHROMIUM is none'),
  )
  afterEach(async ({ task }) => {
    const failed = task.result?.state === 'fail'
    const name = task.name.replace(/[^\p{L}\p{N}]+/gu, '-')
    const pages = used.flatMap(({ page }) => page.context().pages())
    if (failed) await Promise.allSettled(pages.map((page, index) => picture(page, `${name}-${index}`)))
    await Promise.all(used.splice(0).map((profile) => end(profile, !failed)))
    const found = problems.splice(0)
    // A summary of a run has the first line of a failure only.
    expect(found, found.join('; ')).toEqual([])
  })

  return {
    async open(options) {
      if (browser === undefined) throw new Error('Chromium is started before the tests: use it in tests only')
      const found = free.findLastIndex(({ made_for }) => made_for === keyOf(options))
      const profile = found === -1 ? await make(browser, options) : free.splice(found, 1)[0]
      if (profile === undefined) throw new Error('a profile was taken twice')
      used.push(profile)
      await begin(profile, options)
      return profile.page
    },
    async leave(page) {
      const index = used.findIndex((profile) => profile.page === page)
      const [profile] = used.splice(index, 1)
      if (index === -1 || profile === undefined) throw new Error('the page was not opened in this test')
      await end(profile, true)
    },
  }
}

async function make(browser: Browser, options: VisitOptions): Promise<Profile> {
  const context = await browser.newContext(contextOptions(options))
  context.setDefaultTimeout(patience_ms)
  if (options.scripts === false) scriptless.add(context)
  context.on('page', follow)
  const page = await context.newPage()
  const profile: Profile = { page, made_for: keyOf(options), visit: undefined }
  guard(profile)
  keepClock(profile.page)
  return profile
}

/** Refuses a stopped clock in a page that others will use: it stays, and its script is an error in frames without scripts. */
function keepClock(page: Page): void {
  const { clock } = page
  const install = clock.install.bind(clock)
  clock.install = async (options) => {
    if (!usedUp.has(page)) throw new Error('call useOnce before the clock of a page is stopped')
    return install(options)
  }
}

/** Ends a visit, and keeps its profile for another one where that is possible. */
async function end(profile: Profile, again: boolean): Promise<void> {
  const { page } = profile
  if (!again || page.isClosed() || usedUp.has(page)) return page.context().close()
  await empty(profile)
  free.push(profile)
  if (free.length > most_free) await free.shift()?.page.context().close()
}

const keyOf = ({ device = 'phone', locale = 'en', scripts = true }: VisitOptions): string =>
  `${device} ${locale} ${scripts}`

/** Begins a visit with the looks and the answers of its options. */
async function begin(profile: Profile, options: VisitOptions): Promise<void> {
  const { viewport, colorScheme, reducedMotion } = contextOptions(options)
  await resize(profile.page, viewport)
  await profile.page.emulateMedia({ colorScheme, reducedMotion, media: null, forcedColors: null })
  profile.visit = { options, origins: new Set(), navigated: new Set(), answering: [] }
  const places = options.leadsTo ?? []
  if (places.length > 0)
    await answerFor(
      profile.page,
      places.map((place) => `${place}/*`),
      emptyPage,
    )
}

interface Answer {
  readonly type: string
  readonly body: string
}

const emptyPage: Answer = { type: 'text/html', body: '<!doctype html>' }

/**
 * Answers what a page asks for at these addresses, until the end of the visit. A route of Playwright's holds up each request of
 * the page, and keeps files out of the cache.
 */
async function answerFor(page: Page, addresses: readonly string[], { type, body }: Answer): Promise<void> {
  const protocol = await page.context().newCDPSession(page)
  used.find((profile) => profile.page === page)?.visit?.answering.push(protocol)
  const answer = {
    responseCode: 200,
    responseHeaders: [{ name: 'content-type', value: type }],
    body: Buffer.from(body).toString('base64'),
  }
  // The document that asked may be gone by then.
  protocol.on('Fetch.requestPaused', ({ requestId }) =>
    protocol.send('Fetch.fulfillRequest', { requestId, ...answer }).catch(() => undefined),
  )
  await protocol.send('Fetch.enable', { patterns: addresses.map((urlPattern) => ({ urlPattern })) })
}

const protocols = new WeakMap<Page, Promise<CDPSession>>()

/** The debugger of a page. */
function protocolOf(page: Page): Promise<CDPSession> {
  const known = protocols.get(page) ?? page.context().newCDPSession(page)
  protocols.set(page, known)
  return known
}

/**
 * Gives a page this size, and its window one pixel: nobody looks at the window, and Chromium would draw every frame of the
 * page into it. Layout, taps and pictures follow the size of the page.
 */
export async function resize(page: Page, size: { readonly width: number; readonly height: number }): Promise<void> {
  await page.setViewportSize(size)
  const protocol = await protocolOf(page)
  const { windowId } = await protocol.send('Browser.getWindowForTarget')
  await protocol.send('Browser.setWindowBounds', { windowId, bounds: { width: 1, height: 1 } })
}

/** Has a page ask for all files anew, as in a fresh profile. */
export async function forgetFiles(page: Page): Promise<void> {
  await (await protocolOf(page)).send('Network.clearBrowserCache')
}

/** Ends a visit: the page leaves its site, and the profile forgets what it was told. Files stay in the cache. */
async function empty(profile: Profile): Promise<void> {
  const { page, visit } = profile
  const context = page.context()
  const protocol = await protocolOf(page)
  profile.visit = undefined
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await Promise.all((visit?.answering ?? []).map((session) => session.detach()))
  await page.goto('about:blank')
  await Promise.all([context.clearCookies(), context.clearPermissions()])
  for (const origin of visit?.origins ?? [])
    await protocol.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
}

const scriptless = new WeakSet<BrowserContext>()

/** Whether a page runs scripts. */
export function hasScripts(page: Page): boolean {
  return !scriptless.has(page.context())
}

function contextOptions({ device = 'phone', locale = 'en', scripts, dark, motion, width }: VisitOptions) {
  const { viewport, ...rest } = { ...devices[device] }
  return {
    ...rest,
    viewport: { ...viewport, width: width ?? viewport.width },
    ignoreHTTPSErrors: true,
    locale: locale === 'ar' ? 'ar-SA' : 'en-GB',
    timezoneId: 'Asia/Riyadh',
    colorScheme: dark === true ? 'dark' : 'light',
    reducedMotion: motion === true ? 'no-preference' : 'reduce',
    javaScriptEnabled: scripts ?? true,
  } as const
}

const statusMessage = /^Failed to load resource: the server responded with a status of/

/** Watches what a visit must not do. */
function guard(profile: Profile): void {
  const context = profile.page.context()
  context.on('request', (request) => {
    const { visit } = profile
    if (visit === undefined) return
    const { origin, leadsTo = [], shops = [] } = visit.options
    if (request.isNavigationRequest()) {
      visit.navigated.add(request.url())
      if (request.url().startsWith('https:')) visit.origins.add(new URL(request.url()).origin)
    }
    if (!isAllowed(request, [origin, ...leadsTo, ...shops])) problems.push(`a request to ${request.url()}`)
  })
  context.on('weberror', (error) => {
    if (profile.visit !== undefined) problems.push(`an error in a script: ${error.error().message}`)
  })
  context.on('console', (message) => {
    if (profile.visit === undefined) return
    const { mayFail, maySay } = profile.visit.options
    // The browser reports a 404 or 403 of the page itself as an error: ignore it.
    const { url } = message.location()
    const isExpected = profile.visit.navigated.has(url) || mayFail?.test(url) === true
    if (maySay?.test(message.text()) === true) return
    if (message.type() === 'error' && !(statusMessage.test(message.text()) && isExpected))
      problems.push(`in the console: ${message.text()}, at ${url}`)
  })
}

function isAllowed(request: Request, origins: readonly string[]): boolean {
  const { protocol, origin } = new URL(request.url())
  return protocol === 'data:' || protocol === 'about:' || origins.includes(origin)
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const transitionsEnd = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished))`

/**
 * What axe knows of each font before it looks: that it draws no icons. It takes joined Arabic letters for icons, and does not
 * examine their contrast.
 */
const noIcons = `{
  const { get } = axe._cache
  const fonts = new Proxy({}, { get: () => ({ occurrences: Infinity, numLigatures: 0 }) })
  axe._cache.get = (key, make) => key === 'fonts' ? fonts : key === 'canvasContext' ? {} : get.call(axe._cache, key, make)
}`

/**
 * Gives a document the function that loads axe: in the minified form, because each document gets it, and in ASCII, which
 * takes half of the time to load. Without `noHtml` axe writes out the HTML of every element that it examines.
 */
const axe = asAscii(`Object.defineProperty(globalThis, 'loadAxe', { value() {
  ${readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')}
  axe.configure({ noHtml: true })
  ${noIcons}
} })`)

/** As Playwright adds it to documents, to the letter: Chromium compiles it once for both. If that changes, only time is lost. */
const axeAsAdded = `(() => {\n      ${axe}\n    })();`

/** A script whose other characters, all within strings, are written as escapes. */
function asAscii(script: string): string {
  return script.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Expects a page, or what a selector finds in it, to be free of what axe finds against WCAG 2.2 AA. */
export async function expectAccessible(page: Page, within = ':root'): Promise<void> {
  // Where a form has just led, the styles may still be on their way.
  await page.waitForLoadState()
  // The page's policy does not restrict the debugger. Later documents have axe from the start: sending it takes longer.
  if (!(await page.evaluate<boolean>("'loadAxe' in globalThis"))) {
    await page.addInitScript(axe)
    await (await protocolOf(page)).send('Runtime.evaluate', { expression: axeAsAdded })
  }
  // Describe violations only: describing everything that passes takes most of the time.
  const options = JSON.stringify({ runOnly: rules, preload: false, iframes: false, resultTypes: ['violations'] })
  // Axe would judge a colour in the middle of a transition.
  const violations = await page.evaluate<AxeResults['violations']>(`${transitionsEnd}.then(async () => {
    if (!('axe' in globalThis)) loadAxe()
    return (await axe.run(${JSON.stringify(within)}, ${options})).violations
  })`)
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}, ${help}: ${target.join(' ')}\n${failureSummary}`),
  )
  expect(found, page.url()).toEqual([])
}

/** What Playwright keeps of a page beside what it offers. */
interface Inside {
  readonly _connection?: { toImpl?(page: Page): { readonly frameManager?: { _allocateFrameSeq?(): number } } }
}

/**
 * Numbers all documents of a page alike. Their number, which only references of ARIA snapshots need, stands in the script
 * that Playwright adds to each document: with a new one Chromium compiles all 330 kB of it anew. If Playwright changes, only
 * time is lost.
 */
function numberAlike(page: Page): void {
  const { frameManager } = (page as Inside)._connection?.toImpl?.(page) ?? {}
  if (frameManager?._allocateFrameSeq !== undefined) frameManager._allocateFrameSeq = () => 0
}

/** The requests of each page that are not answered yet. */
const pending = new WeakMap<Page, Set<Request>>()

function follow(page: Page): void {
  numberAlike(page)
  const requests = new Set<Request>()
  pending.set(page, requests)
  page.on('request', (request) => {
    // A navigation cancels the requests of the last document.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requests.clear()
    requests.add(request)
  })
  const forget = (request: Request) => requests.delete(request)
  page.on('requestfinished', forget).on('requestfailed', forget)
}

/**
 * Waits until a frame is drawn and nothing else waits to run. An idle callback may never come where a host shows its next
 * document.
 */
const idle = `new Promise((done) =>
  requestAnimationFrame(() => scheduler.postTask(() => done(true), { priority: 'background' })))`

/** Waits until a page has all its answers, has drawn them, and makes no further request. */
export async function waitUntilQuiet(page: Page): Promise<void> {
  let quiet = 0
  await waitFor(`${page.url()} to be quiet`, async () => {
    const isDrawn = await page.evaluate<boolean>(idle).catch(() => false)
    quiet = isDrawn && pending.get(page)?.size === 0 ? quiet + 1 : 0
    return quiet === 3
  })
}

/** Expects a page to fit its width, without sideways scrolling. */
export async function expectToFit(page: Page): Promise<void> {
  // Charts and tables follow a new width some frames later.
  await expect.poll(async () => overflowOf(await sizesOf(page))).toBe(0)
}

/** By how many pixels a page is too wide; 0 when it fits. */
const overflowOf = ([width, room]: readonly [number, number]) => Math.max(0, width - room)

/** During a navigation the page has no element for a moment, or its context is gone. */
async function sizesOf(page: Page): Promise<readonly [number, number]> {
  const sizes =
    'document.documentElement && [document.documentElement.scrollWidth, document.documentElement.clientWidth]'
  for (let tries = 0; tries < 10; tries += 1) {
    await page.waitForLoadState('load')
    const found = await page.evaluate<[number, number] | null>(sizes).catch(() => null)
    if (found !== null) return found
  }
  throw new Error(`${page.url()} never stands still`)
}

const folder = resolve(root, process.env['NUQTA_TEST_ARTIFACTS'] ?? 'test-artifacts')

/** Saves a screenshot of the whole page for a person to look at, if NUQTA_TEST_PICTURES=1. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (takesPictures) await picture(page, name)
}

async function picture(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
