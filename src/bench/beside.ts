import { hour_ms } from '../domain/spans.ts'
import type { Filled } from './filled.ts'
import { runLoad } from './load.ts'
import { earningRequest, newRun } from './requests.ts'

const connections = 16
const per_second = 300
const alone_s = 20
/** Ends a load whose work hangs. */
const most_ms = hour_ms

/** A long work, and what earnings at a steady pace took before and beside it. In older results they are for 20,000 customers. */
export interface Beside {
  readonly seconds: number
  /** From when an earning was planned; in older results from when it was sent. Alone for 20 s, in older results 30 s. */
  readonly alone_p99_ms: number
  readonly beside_p99_ms: number
  /** Earnings beside it that were answered with 429: a close locks one merchant after the other, for a moment. */
  readonly refused: number
}

type Service = Pick<Filled, 'server' | 'keys' | 'choosePhone'>

/** Runs some work beside 300 earnings a second, and measures both. The same earnings run alone right before. */
export async function beside<T>(on: Service, work: () => Promise<T>): Promise<Beside & { readonly output: T }> {
  const alone = await earnings(on, { until: Promise.resolve(), least_ms: alone_s * 1000 })
  const began_ms = performance.now()
  let took_ms = Number.NaN
  const working = work().finally(() => {
    took_ms = performance.now() - began_ms
  })
  const [output, during] = await Promise.all([working, earnings(on, { until: working, least_ms: 0 })])
  return {
    output,
    seconds: took_ms / 1000,
    alone_p99_ms: alone.p99_ms,
    beside_p99_ms: during.p99_ms,
    refused: during.statuses['429'] ?? 0,
  }
}

async function earnings(
  { server: { port, ca }, keys, choosePhone }: Service,
  { until, least_ms }: { readonly until: Promise<unknown>; readonly least_ms: number },
) {
  const run = newRun()
  const from_ms = performance.now()
  let over = false
  let turn = 0
  const end = (): void => {
    over = true
  }
  until.then(end, end)
  const result = await runLoad({
    ...{ port, ca, connections, duration_ms: most_ms, pace_per_s: per_second },
    request() {
      if (over && performance.now() - from_ms >= least_ms) return undefined
      turn += 1
      return earningRequest(keys[turn % keys.length]?.private_key ?? '', `${run}-${turn}`, choosePhone())
    },
  })
  const { 200: accepted = 0, 429: _waits, ...rest } = result.statuses
  if (accepted === 0 || Object.keys(rest).length > 0)
    throw new Error(`earnings were refused: ${JSON.stringify(result.statuses)}`)
  return result
}
