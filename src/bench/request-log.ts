import { earn, makeMerchants } from './merchants.ts'
import { measurePairs, medianOf, rangeOfMedian } from './pairs.ts'
import { type BenchServer, startBenchServer } from './server.ts'

const merchantCount = 1_000
/** A machine that is not quiet changes its speed within seconds: many short turns of both sides meet the same speeds. */
const turn_s = 0.5
/** All turns of a side take so many times as long as another measurement. */
const pairs_of_duration = 6

export interface RequestLogResult {
  /** In pairs. */
  readonly with_log: readonly Measured[]
  readonly without_log: readonly Measured[]
  /** The median of the pairs' ratios: the rate with the log to the rate without it. */
  readonly ratio: number
  readonly ratio_range: readonly [number, number]
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
  const count = Math.ceil((pairs_of_duration * duration_s) / turn_s)
  const pairs = await measurePairs(
    count,
    () => measures[0](turn_s),
    () => measures[1](turn_s),
    (pair) => {
      if (pair % 10 === 1) progress(`with and without the request log, ${pair} of ${count}`)
    },
  )
  const ratios = (of: keyof Measured) => pairs.map(([logged, unlogged]) => logged[of] / unlogged[of])
  const rates = ratios('per_second')
  const outcome = (name: string) => logging.metric(`nuqta_request_log_requests_total{outcome="${name}"}`)
  return {
    with_log: pairs.map(([logged]) => logged),
    without_log: pairs.map(([, unlogged]) => unlogged),
    ...{ ratio: medianOf(rates), ratio_range: rangeOfMedian(rates), cpu_ratio: medianOf(ratios('cpu_us')) },
    ...{ written: await outcome('written'), counted: await outcome('counted') },
  }
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
