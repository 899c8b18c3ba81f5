import { setFlagsFromString } from 'node:v8'
import type { Config } from '../config/config.ts'
import { regenerating } from '../features/deployment/sandbox.ts'
import { shellWord } from '../lib/escape.ts'
import { endingSignals } from '../lib/hangup.ts'
import { stopTimes } from '../lib/stop-times.ts'
import { within } from '../lib/within.ts'
import { createLog, flushLog } from '../observability/log.ts'
import { compose, type Running } from './compose.ts'

interface ServeOptions {
  /** Prints the banner as one JSON object. */
  readonly json: boolean
  /** A new sandbox has one shop and no history. */
  readonly empty: boolean
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

/**
 * Runs the service until a signal ends it. SIGTERM, SIGINT, and SIGHUP of a terminal that closes drain it and finish what runs; a
 * second SIGTERM or SIGINT ends it at once. The first one also ends a start: the next start goes on from there.
 * @returns the exit code
 */
export async function serve(config: Config, { json, empty, stdout, stderr }: ServeOptions): Promise<number> {
  const log = createLog({ level: config.log_level })
  const signal = firstSignal()
  const progress = (text: string): void => void stderr.write(`${text} …\n`)
  const stopping = new AbortController()
  void signal.then(() => stopping.abort())
  const running = await compose(config, { log, progress, stopping: stopping.signal }, { empty }).catch((error) => {
    if (!stopping.signal.aborted || error !== stopping.signal.reason) throw error
  })
  if (running === undefined) {
    log.info({ signal: await signal }, 'stopped before it was ready')
    if (!(await flushLog(log))) endBy(await signal)
    return 0
  }
  limitHeapGrowth(config)
  log.info({ environment: config.environment, role: config.role, url: running.base_url }, 'ready')
  stdout.write(json ? `${JSON.stringify(facts(running, config))}\n` : banner(running, config))
  const asked = await signal
  log.info({ signal: asked, drain_s: config.drain_s }, 'stopping')
  const stopped = running.stop().then(() => true)
  const clean = await within(stopTimes(config).limit_ms, stopped)
  if (clean) log.info('stopped')
  else log.error('stopped before everything had finished')
  if (!(await flushLog(log))) endBy(asked)
  return clean ? 0 : 1
}

/**
 * Ends the process as a signal does. An ordinary end waits for all threads, and a log whose reader has stopped holds the
 * thread that writes to it.
 */
function endBy(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** By how many per cent the heap may grow before it is collected as a whole; less for a machine with little memory. */
const heap_growth = { usual: 100, small: 40, small_below_mb: 16 } as const

/**
 * Keeps the service small under load. It is not set on the command line: with other heap options, V8 refuses the compiled
 * forms of Node's own modules, and compiles each anew at every start.
 */
function limitHeapGrowth({ young_generation_mb: young_mb }: Config): void {
  const percent = young_mb < heap_growth.small_below_mb ? heap_growth.small : heap_growth.usual
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}

/** The banner for programs (`--json`). */
function facts({ base_url, sandbox }: Running, { environment, role }: Config): object {
  const listening = role === 'worker' ? {} : { base_url }
  const place = sandbox === undefined ? {} : { sandbox_env: sandbox.env_file }
  const link = sandbox?.sign_in === undefined ? {} : { sign_in: sandbox.sign_in }
  return { environment, role, ...listening, ...place, ...link }
}

/** The text for a person once the service is ready. In production it names no keys. */
function banner({ base_url, sandbox }: Running, { environment, role }: Pick<Config, 'environment' | 'role'>): string {
  if (role === 'worker') return joined(['', `Nuqta is ready (${environment}, worker: no API here).`])
  const site = base_url.replace(/\/api$/, '')
  const places = [...placesOf(site, environment), ['API', base_url]]
  if (sandbox !== undefined) places.push(['Keys', sandbox.env_file])
  const shown = ['', `Nuqta is ready (${environment}).`, '', ...places.map(placeLine)]
  if (sandbox === undefined) return joined(shown)
  shown.push('')
  if (sandbox.keys === 'replaced')
    shown.push('That file was gone, so the demo merchant has new keys; its old ones no longer work.', '')
  if (sandbox.keys === 'stale')
    shown.push('The keys in that file no longer work. Delete it and start again to have new ones made.', '')
  if (sandbox.sign_in !== undefined)
    shown.push(
      'Sign in to the dashboard as the owner of the demo shops, once, by this link:',
      '',
      `  ${sandbox.sign_in}`,
      '',
    )
  if (sandbox.keys === 'elsewhere') {
    shown.push(
      'This database has its demo merchant already, and its private key is in the sandbox.env of the data directory where it was',
      'made. Copy that line to the file above, or make new keys for everybody:',
      ...['', `  ${regenerating(sandbox.shop)}`],
    )
    return joined(shown)
  }
  shown.push('Award points to a customer, from another terminal:', '', ...indent(curl(sandbox)))
  return joined(shown)
}

/** What there is to look at, one a line. */
function placesOf(site: string, environment: Config['environment']): string[][] {
  const [start, wallet, docs] = [
    ['Start', `${site}/`],
    ['Wallet', `${site}/wallet`],
    ['Docs', `${site}/docs`],
  ]
  const dashboard = ['Dashboard', `${site}/dashboard/`]
  if (environment === 'production') return [start, dashboard, wallet, docs]
  const [shop, widget] = [
    ['Demo shop', `${site}/demo`],
    ['Widget', `${site}/widget/playground`],
  ]
  return [start, dashboard, shop, wallet, widget, docs, ['Health', `${site}/readyz`]]
}

function placeLine([name = '', at = '']: readonly string[]): string {
  return `  ${name.padEnd(9)}  ${at}`
}

/** A request that works when pasted into sh, bash or zsh, any number of times. It does not show the private key. */
function curl({ env_file, has_ca }: NonNullable<Running['sandbox']>): string[] {
  const body = [
    '"phone_number": "0512345678", "total_price": 199.5',
    '"products": [{"product_name": "Coffee beans", "product_price": 199.5, "quantity": 1}]',
    `"order_number": "demo-'$(date +%s)'"`,
  ].join(', ')
  return [
    `. ${shellWord(env_file)} && curl${has_ca ? ' --cacert "$NUQTA_CA"' : ''} "$NUQTA_BASE_URL/v1/orders/earning" \\`,
    `  -H "x-api-key: $NUQTA_PRIVATE_KEY" -H 'Content-Type: application/json' -H 'Accept: application/json' \\`,
    `  -d '{${body}}'`,
  ]
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}

function joined(lines: readonly string[]): string {
  return `${[...lines, ''].join('\n')}\n`
}

function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let stopping = false
    const onSignal = (signal: NodeJS.Signals): void => {
      // A terminal that closes can send its signal twice.
      if (stopping && signal !== 'SIGHUP') process.exit(1)
      stopping = true
      resolve(signal)
    }
    for (const signal of endingSignals()) process.on(signal, onSignal)
  })
}
