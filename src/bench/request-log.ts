import { earn, makeMerchants } from './merchants.ts'
import { type BenchServer, startBenchServer } from './server.ts'

const merchantCount = 1_000
const pairs = 5

export interface RequestLogResult {
  /** In pairs. */
  readonly with_log: readonly Measured[]
  readonly without_log: readonly Measured[]
  /** The median of the pairs' ratios: the rate with the log to the rate without it. */
  readonly ratio: number
  /** The same for the processor time of the service an earning, which other programs on the machine disturb less. */
  readonly cpu_ratio: number
  /** Rows that were written, and requests that were only counted. */
  readonly written: number
  readonly counted: number
}

interface Measured {
  readonly per_second: number
  /** Of the service alone, in microseconds an earning. */
  readonly cpu_us: number
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
  const with_log: Measured[] = []
  const without_log: Measured[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    progress(`with and without the request log, ${pair + 1} of ${pairs}`)
    // The first of a pair changes, so that neither side always finds the machine as the other left it.
    const sides = [() => measures[0](duration_s).then((one) => with_log.push(one))]
    sides[pair % 2 === 0 ? 'push' : 'unshift'](() => measures[1](duration_s).then((one) => without_log.push(one)))
    for (const side of sides) await side()
  }
  const ratio = (of: keyof Measured) =>
    medianOf(with_log.map((one, pair) => one[of] / (without_log[pair]?.[of] ?? Number.NaN)))
  const outcome = (name: string) => logging.metric(`nuqta_request_log_requests_total{outcome="${name}"}`)
  return {
    ...{ with_log, without_log, ratio: ratio('per_second'), cpu_ratio: ratio('cpu_us') },
    ...{ written: await outcome('written'), counted: await outcome('counted') },
  }
}

/** The middle one of an odd number of values. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Gives what measures the earnings of a server a second, with merchants of its own. */
async function measureOf(server: BenchServer): Promise<(duration_s: number) => Promise<Measured>> {
  const keys = await makeMerchants(server, merchantCount)
  return async (duration_s) => {
    const cpu_s = await server.metric('process_cpu_seconds_total')
    const { accepted, seconds } = await earn(server, { duration_s, keys })
    const used_s = (await server.metric('process_cpu_seconds_total')) - cpu_s
    return { per_second: accepted / seconds, cpu_us: (used_s * 1e6) / accepted }
  }
}
