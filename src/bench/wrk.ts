import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LoadResult } from './load.ts'
import type { Customers } from './reference.ts'
import { newPhone, newPhones } from './requests.ts'

const run = promisify(execFile)

/** The version of wrk, like `wrk 4.1.0`; null when it is not on the path. */
export async function wrkVersion(): Promise<string | null> {
  // It prints its version above its help, and ends with 1.
  const { code, stdout = '' } = await run('wrk', ['-v']).then(
    (said) => ({ code: 0, ...said }),
    (error: { code?: unknown; stdout?: string }) => error,
  )
  return code === 0 || code === 1 ? (/^wrk \S+/.exec(stdout)?.[0] ?? 'wrk') : null
}

/** True when wrk, a load generator that costs a third of ours, is on the path. */
export async function hasWrk(): Promise<boolean> {
  return (await wrkVersion()) !== null
}

export interface WrkPlace {
  /** Where its script is written. */
  readonly folder: string
  readonly port: number
  readonly connections: number
  readonly duration_s: number
}

export interface WrkOptions extends WrkPlace {
  readonly private_keys: readonly string[]
  readonly customers: Customers
  /** How many customers have an account. */
  readonly known: number
  /** Differs from every run before. */
  readonly run: number
}

/**
 * Earnings over HTTPS, each connection one at a time. The merchants take turns, so that two requests of one merchant meet
 * only when one takes as long as all others together; the second is then refused, and not counted.
 */
export function runWrk(options: WrkOptions): Promise<LoadResult> {
  return runScript(options, '/api/v1/orders/earning', script(options))
}

/** A request without a body, as the merchant whose key it is. */
export interface Read {
  readonly path: string
  readonly private_key: string
}

/** Sends the same requests again and again, in turn, over keep-alive connections. */
export function runWrkReads(place: WrkPlace, reads: readonly Read[]): Promise<LoadResult> {
  return runScript(place, '/', readScript(reads))
}

async function runScript(
  { folder, port, connections, duration_s }: WrkPlace,
  path: string,
  text: string,
): Promise<LoadResult> {
  // Several loads may run at once.
  const file = join(folder, `load-${randomUUID()}.lua`)
  await writeFile(file, text + summary)
  const { stdout } = await run('wrk', [
    ...['-t', '1', '-c', String(connections), '-d', `${duration_s}s`, '--timeout', '30s', '-s', file],
    `https://localhost:${port}${path}`,
  ])
  const line = stdout.split('\n').find((one) => one.startsWith('{'))
  if (line === undefined) throw new Error(`wrk printed no result:\n${stdout}`)
  const { requests, refused, broken, seconds, ...times } = JSON.parse(line) as Record<string, number>
  if (broken !== 0) throw new Error(`the server closed ${broken} connections under load`)
  const statuses = { 200: Number(requests) - Number(refused), refused: Number(refused) }
  const [p50_ms, p99_ms, longest_ms] = [Number(times['p50_ms']), Number(times['p99_ms']), Number(times['longest_ms'])]
  return { seconds: Number(seconds), statuses, p50_ms, p99_ms, longest_ms }
}

function script({ private_keys, customers, known, run: round }: WrkOptions): string {
  return `
local keys = { ${private_keys.map((key) => `"${key}"`).join(', ')} }
local turn, count = 0, #keys
local headers = { ["content-type"] = "application/json", ["accept"] = "application/json" }
math.randomseed(${round})

request = function()
  turn = turn + 1
  local phone
  if ${customers === 'half new'} and turn % 2 == 1 then phone = string.format("%d", ${newPhone(round, 0)} + turn % ${newPhones.run})
  else phone = string.format("51%07d", math.random(0, ${known - 1})) end
  headers["x-api-key"] = keys[turn % count + 1]
  local body = '{"phone_number":"+966' .. phone .. '","total_price":100,"products":[{"product_name":"Coffee","product_price":50,"quantity":2}],"order_number":"${round}-' .. turn .. '"}'
  return wrk.format("POST", nil, headers, body)
end
`
}

function readScript(reads: readonly Read[]): string {
  return `
local paths = { ${reads.map(({ path }) => `"${path}"`).join(', ')} }
local keys = { ${reads.map(({ private_key }) => `"${private_key}"`).join(', ')} }
local turn, count = 0, #keys
local headers = { ["accept"] = "application/json" }

request = function()
  turn = turn % count + 1
  headers["x-api-key"] = keys[turn]
  return wrk.format("GET", paths[turn], headers)
end
`
}

const summary = `
done = function(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"refused":%d,"broken":%d,"seconds":%.6f,"p50_ms":%.4f,"p99_ms":%.4f,"longest_ms":%.4f}\\n',
    summary.requests, errors.status, errors.connect + errors.read + errors.write + errors.timeout, summary.duration / 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000))
end
`
