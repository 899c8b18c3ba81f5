import { earn } from './merchants.ts'
import { type BenchServer, type MerchantKeys, startBenchServer } from './server.ts'

const merchantCount = 1_000
const pairs = 5

export interface RequestLogResult {
  /** Earnings a second in each measurement, in pairs. */
  readonly with_log: readonly number[]
  readonly without_log: readonly number[]
  /** The median of the pairs' ratios: the rate with the log to the rate without it. */
  readonly ratio: number
  /** Rows that were written, and requests that were only counted. */
  readonly written: number
  readonly counted: number
}

/** Measures what the request log costs an earning: two servers at once, of which one measures while the other rests. */
export async function measureRequestLog(options: {
  readonly duration_s: number
  readonly progress: (line: string) => void
}): Promise<RequestLogResult> {
  const logging = await startBenchServer()
  try {
    const silent = await startBenchServer([], { NUQTA_REQUEST_LOG_DAYS: '0' })
    try {
      return await comparePairs({ logging, silent }, options)
    } finally {
      await silent.stop()
    }
  } finally {
    await logging.stop()
  }
}

async function comparePairs(
  { logging, silent }: { readonly logging: BenchServer; readonly silent: BenchServer },
  { duration_s, progress }: { readonly duration_s: number; readonly progress: (line: string) => void },
): Promise<RequestLogResult> {
  const measures = [await measureOf(logging), await measureOf(silent)] as const
  for (const measure of measures) await measure(duration_s)
  const with_log: number[] = []
  const without_log: number[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    progress(`with and without the request log, ${pair + 1} of ${pairs}`)
    // The first of a pair changes, so that neither side always finds the machine as the other left it.
    const sides = [() => measures[0](duration_s).then((rate) => with_log.push(rate))]
    sides[pair % 2 === 0 ? 'push' : 'unshift'](() => measures[1](duration_s).then((rate) => without_log.push(rate)))
    for (const side of sides) await side()
  }
  const ratios = with_log.map((rate, pair) => rate / (without_log[pair] ?? Number.NaN)).sort((a, b) => a - b)
  const outcome = (name: string) => logging.metric(`nuqta_request_log_requests_total{outcome="${name}"}`)
  return {
    ...{ with_log, without_log, ratio: ratios[Math.floor(pairs / 2)] ?? Number.NaN },
    ...{ written: await outcome('written'), counted: await outcome('counted') },
  }
}

/** Gives what measures the earnings of a server a second, with merchants of its own. */
async function measureOf(server: BenchServer): Promise<(duration_s: number) => Promise<number>> {
  const keys = (await server.command(
    ...['merchant', 'create', '--name', 'Bench', '--count', String(merchantCount)],
    ...['--verified', '--published', '--program', 'Bench'],
  )) as MerchantKeys[]
  return async (duration_s) => {
    const { accepted, seconds } = await earn(server, { duration_s, keys })
    return accepted / seconds
  }
}
