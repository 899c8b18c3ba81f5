import { openBenchDatabase } from './database.ts'
import { customersSql } from './grow.ts'
import { type LoadOptions, type LoadResult, runLoad } from './load.ts'
import { makeMerchants } from './merchants.ts'
import { customerCount, earningRequest, knownPhone, newRun } from './requests.ts'
import { type BenchServer, type MerchantKeys, startBenchServer } from './server.ts'

const merchantCount = 1_000
const others_per_s = 300
const othersConnections = 16
const crowd = 16
const warmUp_s = 5
/** How much longer the client that waits is measured: beside the crowd few of its tries succeed. */
const patient_times = 8

interface Rate {
  readonly accepted_per_s: number
  /** Answered with 429: another earning of the merchant was under way. */
  readonly refused_per_s: number
  readonly p50_ms: number
  readonly p99_ms: number
}

/** A client that sends its earnings one after the other, and each again after the Retry-After of a 429. */
interface Patient {
  readonly accepted_per_s: number
  /** Tries for each earning. */
  readonly tries: number
  /** From an earning's first try to its 200. */
  readonly p50_ms: number
  readonly p99_ms: number
  /** 1 if the last earning was still refused at the end: its wait counts as its time, which would have been longer. */
  readonly unfinished: number
}

export interface HotBenchResult {
  /** The database server, like `PostgreSQL 18.1`. */
  readonly database: string
  /** A client that sends its earnings one after the other. */
  readonly serial: Rate
  /** 16 clients at once that do not care: none waits after a 429. */
  readonly crowd: Rate
  /** A client beside the crowd that does as integrators are told. */
  readonly patient: Patient
  readonly others_per_s: number
  /**
   * Earnings of other merchants at a steady pace: alone, beside the serial client, beside the crowd. Their times count from
   * when they were planned; in older results from when they were sent.
   */
  readonly others_alone: Rate
  readonly others_beside_serial: Rate
  readonly others_beside_crowd: Rate
}

/** Measures one merchant with all the traffic: its rate under the strict lock, and what others feel of it. */
export async function benchHot({
  duration_s,
  progress,
}: {
  readonly duration_s: number
  readonly progress: (line: string) => void
}): Promise<HotBenchResult> {
  const server = await startBenchServer()
  const database = await openBenchDatabase(server)
  try {
    const [hot, ...others] = await makeMerchants(server, merchantCount)
    if (hot === undefined) throw new Error('the bench has no merchants')
    await database.db.script(customersSql(hot.program_id, customerCount))
    const one = (connections: number) => loadOf(server, [hot], { connections, duration_s })
    const rest = () => loadOf(server, others, { connections: othersConnections, duration_s, pace_per_s: others_per_s })
    progress('warming up')
    await loadOf(server, others, { connections: othersConnections, duration_s: warmUp_s })
    progress(`${others_per_s} earnings a second of others, alone`)
    const others_alone = await rest()
    progress('beside them a merchant with one client')
    const [serial, others_beside_serial] = await Promise.all([one(1), rest()])
    progress(`beside them a merchant with ${crowd} clients at once`)
    const [crowded, others_beside_crowd] = await Promise.all([one(crowd), rest()])
    progress('beside the crowd a client that waits after a 429')
    const longer = { duration_s: duration_s * patient_times }
    const [waiting] = await Promise.all([
      sendTo(server, [hot], { connections: 1, retries: true, ...longer }),
      loadOf(server, [hot], { connections: crowd, ...longer }),
    ])
    const rates = { serial, crowd: crowded, patient: patientOf(waiting) }
    return {
      database: server.database,
      ...rates,
      others_per_s,
      others_alone,
      others_beside_serial,
      others_beside_crowd,
    }
  } finally {
    await database.close()
    await server.stop()
  }
}

interface HotLoad extends Pick<LoadOptions, 'connections' | 'pace_per_s' | 'retries'> {
  readonly duration_s: number
}

async function loadOf(server: BenchServer, keys: readonly MerchantKeys[], load: HotLoad): Promise<Rate> {
  return rateOf(await sendTo(server, keys, load))
}

function sendTo(
  { port, ca }: BenchServer,
  keys: readonly MerchantKeys[],
  { duration_s, ...load }: HotLoad,
): Promise<LoadResult> {
  const run = newRun()
  let turn = 0
  return runLoad({
    ...{ port, ca, duration_ms: duration_s * 1000, ...load },
    request() {
      turn += 1
      const phone = knownPhone(Math.floor(Math.random() * customerCount))
      return earningRequest(keys[turn % keys.length]?.private_key ?? '', `${run}-${turn}`, phone)
    },
  })
}

function patientOf({ statuses, seconds, p50_ms, p99_ms }: LoadResult): Patient {
  const { 200: accepted = 0, 429: refused = 0, unfinished = 0, ...rest } = statuses
  if (Object.keys(rest).length > 0) throw new Error(`earnings were answered otherwise: ${JSON.stringify(statuses)}`)
  const tries = (accepted + refused) / (accepted + unfinished)
  return { accepted_per_s: accepted / seconds, tries, p50_ms, p99_ms, unfinished }
}

function rateOf({ statuses, seconds, p50_ms, p99_ms }: LoadResult): Rate {
  const { 200: accepted = 0, 429: refused = 0, ...rest } = statuses
  if (Object.keys(rest).length > 0) throw new Error(`earnings were answered otherwise: ${JSON.stringify(statuses)}`)
  return { accepted_per_s: accepted / seconds, refused_per_s: refused / seconds, p50_ms, p99_ms }
}
