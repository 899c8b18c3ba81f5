import { sandboxIdentities } from '../domain/sandbox.ts'
import { acceptedPerSecond, runLoad } from './load.ts'
import { type BenchServer, type MerchantKeys, startBenchServer } from './server.ts'
import { BenchVisitor } from './visitor.ts'

const warmUp_s = 3
/** Shoppers who ask at the same time, in the measurement under load. */
const at_once = 8

export interface PageResult {
  readonly page: string
  /** One reader, who asks again at each answer: the whole time until the last byte, over TLS. */
  readonly p50_ms: number
  readonly p99_ms: number
  /** Answers a second to eight readers at once. */
  readonly per_second: number
  readonly html_bytes: number
  readonly html_gzip_bytes: number
  /** All scripts that the page names. */
  readonly scripts_gzip_bytes: number
  readonly styles_gzip_bytes: number
}

export interface PageBenchResult {
  /** The database server, like `PostgreSQL 18.1`. */
  readonly database: string
  readonly pages: readonly PageResult[]
  /** P9: the slowest page's p50, and the most scripts of a page. */
  readonly slowest_p50_ms: number
  readonly most_scripts_gzip_bytes: number
  readonly rss_mb: number
}

interface Bench {
  readonly server: BenchServer
  readonly duration_s: number
}

/** A page, with the cookies of a browser that has got there. */
export interface Place {
  readonly page: string
  readonly path: string
  readonly visitor: BenchVisitor
}

/** Measures P9: the hosted pages of a checkout and of the wallet, with their cookies, compressed as browsers ask for it. */
export async function benchPages({
  duration_s,
  progress,
}: {
  readonly duration_s: number
  readonly progress: (line: string) => void
}): Promise<PageBenchResult> {
  const server = await startBenchServer()
  const places: Place[] = []
  try {
    places.push(...(await openPlaces(server)))
    const pages: PageResult[] = []
    for (const place of places) {
      progress(place.page)
      pages.push(await measurePage({ server, duration_s }, place))
    }
    return {
      database: server.database,
      pages,
      slowest_p50_ms: Math.max(...pages.map(({ p50_ms }) => p50_ms)),
      most_scripts_gzip_bytes: Math.max(...pages.map(({ scripts_gzip_bytes }) => scripts_gzip_bytes)),
      rss_mb: Math.round((await server.metric('process_resident_memory_bytes')) / 2 ** 20),
    }
  } finally {
    for (const { visitor } of places) visitor.close()
    await server.stop()
  }
}

const { phone } = sandboxIdentities[0]

/** Makes a merchant with a colour, and three browsers at its pages. */
export async function openPlaces(server: BenchServer): Promise<Place[]> {
  const [keys] = (await server.command(
    ...['merchant', 'create', '--name', 'Bench', '--verified', '--published', '--program', 'Bench'],
  )) as MerchantKeys[]
  if (keys === undefined) throw new Error('the bench has no merchant')
  await server.command('merchant', 'brand', String(keys.merchant_id), '--colour', '#7a3b9e')
  return preparePlaces(server, keys)
}

/** Three browsers: one that is asked for the number, one that chooses points, and one that is signed in to the wallet. */
async function preparePlaces(server: BenchServer, keys: MerchantKeys): Promise<Place[]> {
  const asking = await openCheckout(server, keys)
  const choosing = await openCheckout(server, keys)
  const signing = { path: `/wallet?program=${keys.program_id}`, visitor: new BenchVisitor(server) }
  const sent = await choosing.visitor.submit(await choosing.visitor.open(choosing.path), 'given', {})
  await choosing.visitor.submit(sent, 'code', { code: codeIn(sent.text) })
  const asked = await signing.visitor.submit(await signing.visitor.open(signing.path), 'phone', { phone })
  await signing.visitor.submit(asked, 'code', { code: codeIn(asked.text) })
  await asking.visitor.open(asking.path)
  return [
    { page: 'Checkout, the number', ...asking },
    { page: 'Checkout, the choice', ...choosing },
    { page: 'Wallet', ...signing },
  ]
}

async function openCheckout(server: BenchServer, { public_key }: MerchantKeys) {
  const visitor = new BenchVisitor(server)
  const body = {
    ...{ order_number: '1001', total_price: 240, phone_number: `0${phone}` },
    products: [{ product_name: 'Coffee beans, 1 kg', product_price: 120, quantity: 2 }],
    ...{ shipping_amount: 15, tax_amount: 31.3, callback_url: 'https://shop.example/thanks' },
  }
  const { checkout_url } = await visitor.post(`/api/v1/orders/checkout/${public_key}`, body)
  return { path: new URL(checkout_url ?? '').pathname, visitor }
}

function codeIn(text: string): string {
  const code = /data-code>(\d{6})</.exec(text)?.[1]
  if (code === undefined) throw new Error('the sandbox shows no code')
  return code
}

async function measurePage({ server, duration_s }: Bench, { page, path, visitor }: Place): Promise<PageResult> {
  const request = requestFor(path, visitor)
  const load = (connections: number, duration_ms: number) =>
    runLoad({ port: server.port, ca: server.ca, connections, duration_ms, request: () => request })
  await load(1, warmUp_s * 1_000)
  const alone = await load(1, duration_s * 1_000)
  const many = await load(at_once, duration_s * 1_000)
  const refused = Object.keys({ ...alone.statuses, ...many.statuses }).filter((status) => status !== '200')
  if (refused.length > 0) throw new Error(`${page} was answered with ${refused.join(', ')}`)
  const { p50_ms, p99_ms } = alone
  return {
    page,
    p50_ms,
    p99_ms,
    per_second: acceptedPerSecond(many),
    ...(await sizesOf(visitor, path)),
  }
}

function requestFor(path: string, { headers }: BenchVisitor): Buffer {
  const lines = Object.entries({ ...headers, 'accept-encoding': 'gzip, deflate, br, zstd' })
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
}

async function sizesOf(visitor: BenchVisitor, path: string) {
  const gzip = { 'accept-encoding': 'gzip' }
  const plain = await visitor.get(path)
  const html_gzip_bytes = (await visitor.get(path, gzip)).body.length
  const text = plain.body.toString('utf8')
  const sum = async (pattern: RegExp): Promise<number> => {
    const urls = [...text.matchAll(pattern)].map(([, url = '']) => url)
    const answers = await Promise.all(urls.map((url) => visitor.get(url, gzip)))
    return answers.reduce((bytes, { body }) => bytes + body.length, 0)
  }
  return {
    html_bytes: plain.body.length,
    html_gzip_bytes,
    scripts_gzip_bytes: await sum(/<script type="module" src="([^"]+)"/g),
    styles_gzip_bytes: await sum(/<link rel="stylesheet" href="([^"]+)"/g),
  }
}
