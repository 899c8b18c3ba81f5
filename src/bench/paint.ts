import { join } from 'node:path'
import { type Chromium, startChromium, type Tab } from './chromium.ts'
import { openPlaces, type Place } from './pages.ts'
import { startBenchServer } from './server.ts'
import { openSlowLink } from './slow-link.ts'

/** Each page is opened this often; the median counts. */
const repetitions = 11
const languages = ['ar', 'en'] as const

/** A phone on a slow network. The link is ours: the browser's own emulation delays no handshake. */
const link = { round_trip_ms: 150, bits_per_s: 1_600_000 }
const slower_cpu = 4
const phone = { width: 390, height: 844, deviceScaleFactor: 2, mobile: true }

export interface PaintResult {
  readonly page: string
  readonly language: (typeof languages)[number]
  /** Whether it was the first page of a fresh profile. */
  readonly cold: boolean
  /** From the start of the navigation until the largest text or picture is painted. */
  readonly median_ms: number
  readonly fastest_ms: number
  readonly slowest_ms: number
}

export interface PaintBenchResult {
  /** The database server, like `PostgreSQL 18.1`. */
  readonly database: string
  readonly repetitions: number
  readonly paints: readonly PaintResult[]
  readonly slowest_cold_ms: number
  readonly slowest_warm_ms: number
}

interface Bench {
  readonly chromium: Chromium
  readonly port: number
  readonly places: readonly Place[]
}

/** Measures when hosted pages are painted in a slow browser: the first page of a fresh profile, then the ones after it. */
export async function benchPaint({
  progress,
}: {
  readonly progress: (line: string) => void
}): Promise<PaintBenchResult> {
  const server = await startBenchServer()
  const places = await openPlaces(server)
  const slow = await openSlowLink(server.port, link)
  const chromium = await startChromium({ folder: join(server.folder, 'chromium'), server })
  try {
    const times = new Map<string, number[]>()
    for (let turn = 1; turn <= repetitions; turn += 1) {
      progress(`${turn} of ${repetitions}`)
      for (const language of languages) await visitAll({ chromium, port: slow.port, places }, language, times)
    }
    const paints = [...times].map(([key, paint_ms]) => summed(key, paint_ms))
    const slowest = (cold: boolean) =>
      Math.max(...paints.filter((one) => one.cold === cold).map(({ median_ms }) => median_ms))
    return {
      database: server.database,
      repetitions,
      paints,
      slowest_cold_ms: slowest(true),
      slowest_warm_ms: slowest(false),
    }
  } finally {
    await chromium.stop()
    slow.close()
    for (const { visitor } of places) visitor.close()
    await server.stop()
  }
}

/** Opens all pages one after the other in a fresh profile. */
async function visitAll({ chromium, port, places }: Bench, language: string, times: Map<string, number[]>) {
  const tab = await chromium.open()
  await slowDown(tab)
  for (const [index, { page, path, visitor }] of places.entries()) {
    const url = `https://localhost:${port}${path}${path.includes('?') ? '&' : '?'}lang=${language}`
    await takeCookies(tab, url, visitor.headers['cookie'] ?? '')
    const key = JSON.stringify({ page, language, cold: index === 0 })
    times.set(key, [...(times.get(key) ?? []), await paintOf(tab, url)])
  }
  await tab.close()
}

async function slowDown(tab: Tab): Promise<void> {
  for (const domain of ['Page', 'Runtime']) await tab.send(`${domain}.enable`)
  await tab.send('Emulation.setCPUThrottlingRate', { rate: slower_cpu })
  await tab.send('Emulation.setDeviceMetricsOverride', phone)
}

async function takeCookies(tab: Tab, url: string, cookies: string): Promise<void> {
  for (const one of cookies === '' ? [] : cookies.split('; ')) {
    const at = one.indexOf('=')
    const cookie = { url, name: one.slice(0, at), value: one.slice(at + 1), path: '/', secure: true, httpOnly: true }
    await tab.send('Network.setCookie', cookie)
  }
}

/** Fonts that come late can paint a larger text: the last entry counts, a second after everything is loaded. */
const largestPaint = `new Promise((done) => {
  let last = 0
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) last = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  setTimeout(() => done(last), 1000)
})`

async function paintOf(tab: Tab, url: string): Promise<number> {
  const loaded = tab.next('Page.loadEventFired')
  await tab.send('Page.navigate', { url })
  await loaded
  const asked = { expression: largestPaint, awaitPromise: true, returnByValue: true }
  const { result } = await tab.send<{ result: { value: number } }>('Runtime.evaluate', asked)
  if (!(result.value > 0)) throw new Error(`${url} painted nothing`)
  return result.value
}

function summed(key: string, times: readonly number[]): PaintResult {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return { ...JSON.parse(key), median_ms: at(0.5), fastest_ms: at(0), slowest_ms: at(1) }
}
