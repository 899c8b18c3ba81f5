import type { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { minute_ms } from '../domain/spans.ts'
import type { SandboxReceiver } from '../features/demo/year/add-webhooks.ts'
import type { BegunYear, FilledYear, YearCalls } from '../features/demo/year/year.ts'
import { CliError } from '../lib/errors.ts'
import { reachOfHost } from '../net/addresses.ts'
import { addChange, addExamples, type CommonOptions, type Output, withOutput } from './command.ts'
import { commandConfig, type Deployment, secretsOf, withDeployment } from './deployment.ts'
import { whole } from './values.ts'

interface DemoOptions extends CommonOptions {
  readonly orders: number
  readonly months: number
  readonly seed: number
}

const most_orders = 200_000
const most_months = 36
const most_seed = 999_999_999

/** Adds `demo`. docs/operating.md */
export function addDemoCommand(program: Command): void {
  const command = addChange(
    program,
    'demo',
    'fill a sandbox with a sample year: a coalition of six shops and a brand of its own, with customers and orders',
  )
    .option('--orders <n>', 'how many orders', whole(1, most_orders), 20_000)
    .option('--months <n>', 'over how many months up to now', whole(1, most_months), 12)
    .option('--seed <n>', 'another number makes another year', whole(0, most_seed), 1)
  addExamples(command, ['nuqta demo', 'nuqta demo --orders 2000 --months 3'])
  command.action((options: DemoOptions) => withOutput(options, (output) => runDemo(options, output)))
}

async function runDemo(options: DemoOptions, output: Output): Promise<void> {
  const { environment, sms } = commandConfig(options)
  // Loaded here: the help of all commands needs no services.
  const { year_worker_count } = await import('../app/demo.ts')
  // Plans are made while the tables are empty: the pool keeps them from reading whole tables later.
  const pool = { plans: 'by_key', commits_early: true, size: year_worker_count + 4 } as const
  const needs = { creates: environment === 'sandbox', pool }
  await withDeployment(
    options,
    output,
    async (deployment) => {
      if (deployment.environment === 'production')
        throw new CliError('nuqta demo invents customers and orders: it fills a sandbox only, and this is production.')
      await fill(deployment, options, { output, invites: sms.provider === 'sandbox' })
    },
    needs,
  )
}

interface Filling {
  readonly output: Output
  /** Messages reach nobody. */
  readonly invites: boolean
}

async function fill(deployment: Deployment, options: DemoOptions, { output, invites }: Filling): Promise<void> {
  const { db, owner, now, by } = deployment
  const config = commandConfig(options)
  const { public_url, retention_days } = config
  const { receiver, why } = await receiverOf(config, deployment)
  const { orders, months, seed } = options
  const until_ms = Math.floor(now.getTime() / minute_ms) * minute_ms
  const [{ createYearWorkers }, { fillYear }] = await Promise.all([
    import('../app/demo.ts'),
    import('../features/demo/year/year.ts'),
  ])
  const started_ms = performance.now()
  const show = reporter(options, output, why)
  const workers = createYearWorkers(db, public_url)
  const parts = { db, lock_db: owner, now, by, receiver, retention_days, workers }
  const filled = await untilInterrupted((signal) =>
    fillYear(parts, { seed, orders, months, until_ms, invites }, { signal, ...show.calls }),
  ).finally(show.end)
  const seconds = Math.round((performance.now() - started_ms) / 100) / 10
  report(output, filled, seconds)
}

interface Receiving {
  /** Null where deliveries would not reach it. */
  readonly receiver: SandboxReceiver | null
  readonly why: string | null
}

/** The sandbox's own receiver of deliveries: they must not leave this machine. */
async function receiverOf(config: Config, { db, dir }: Deployment): Promise<Receiving> {
  const { public_url, webhook, secret_key, database_url } = config
  const { allow_loopback, proxy } = webhook
  if (!allow_loopback || proxy !== undefined || reachOfHost(new URL(public_url).hostname) !== 'loopback')
    return { receiver: null, why: 'the sandbox does not deliver to itself on loopback' }
  if (secret_key === undefined && (database_url !== undefined || dir === undefined))
    return { receiver: null, why: 'their secrets need NUQTA_SECRET_KEY' }
  return { receiver: { public_url, secrets: await secretsOf(config, dir, db) }, why: null }
}

/** The first signal lets the steps under way end; a second one ends the process as usual. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    return await work(stop.signal)
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

function report(output: Output, { kind, options, ...sums }: FilledYear, seconds: number): void {
  const { seed, months } = options
  const { programs, merchants, customers, orders, points_issued, points_redeemed } = sums
  const count = (n: number): string => n.toLocaleString('en')
  const size =
    `${programs} programs, ${merchants} merchants, ${count(customers)} customers, ${count(orders)} orders; ` +
    `${count(points_issued)} points issued, ${count(points_redeemed)} redeemed`
  const ends: Readonly<Record<FilledYear['kind'], string>> = {
    filled: `The sandbox has its year: ${size}. It took ${seconds} s.`,
    there: `The sandbox had its year already, and nothing was added: ${size}.`,
    interrupted: `Interrupted: ${size} so far. Run nuqta demo again for the rest.`,
  }
  output.result({ ...sums, seed, months, complete: kind !== 'interrupted', seconds }, ends[kind])
  if (kind === 'interrupted') output.code = 1
}

/** Steps after which the rest can be estimated. */
const measured = 1_000
const redraw_ms = 200

interface Reporter {
  readonly calls: Pick<YearCalls, 'onBegin' | 'onStep'>
  end(): void
}

/** Reports what will be added once it has measured how long that takes; on a terminal also the progress. */
function reporter(options: DemoOptions, output: Output, without_webhooks: string | null): Reporter {
  const { json, shell } = options
  const draws = json !== true && shell.stderr.isTTY === true
  const rest = new Rest()
  let foretold = false
  let drawn_ms = 0
  return {
    calls: {
      onBegin(begun) {
        rest.begin(begun)
        for (const line of describeBegun(begun, options)) output.note(line)
        if (without_webhooks !== null) output.note(`Its shops get no webhooks: ${without_webhooks}.`)
      },
      onStep({ steps, orders }) {
        const left = rest.after(steps, orders)
        if (left === null) return
        if (!foretold) output.note(`This takes about ${left}. Ctrl-C stops it in order.`)
        foretold = true
        if (!draws || performance.now() - drawn_ms < redraw_ms) return
        drawn_ms = performance.now()
        shell.stderr.write(`\r\u001b[K${orders.toLocaleString('en')} orders, about ${left} left …`)
      },
    },
    end() {
      if (draws) shell.stderr.write('\r\u001b[K')
    },
  }
}

/** Estimates how long the remaining steps take. Steps that earlier runs have written take no time and are not counted. */
class Rest {
  #steps = 0
  #written = 0
  #from = 0
  #from_ms = 0

  begin({ steps, orders }: BegunYear): void {
    this.#steps = steps
    this.#written = orders
    this.#from_ms = performance.now()
  }

  /** Null while too few steps are measured. */
  after(steps: number, orders: number): string | null {
    if (orders < this.#written) {
      this.#from = steps
      this.#from_ms = performance.now()
    }
    const taken = steps - this.#from
    if (taken < measured) return null
    const seconds = ((performance.now() - this.#from_ms) / 1000 / taken) * (this.#steps - steps)
    return seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} minutes`
  }
}

function describeBegun({ options, found }: BegunYear, asked: DemoOptions): string[] {
  const { orders, months, seed } = options
  const year = `${orders.toLocaleString('en')} orders of ${months} months (seed ${seed})`
  if (!found) return [`Adding two programs with seven shops of their own, and ${year}. Nothing else changes.`]
  const other = orders !== asked.orders || months !== asked.months || seed !== asked.seed
  return [
    `Going on with the ${year} that an earlier run began.`,
    ...(other ? ['It was begun with other options, which stay.'] : []),
  ]
}
