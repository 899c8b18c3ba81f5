import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { type Running as Composed, compose } from '../../src/app/compose.ts'
import { run } from '../../src/cli/run.ts'
import type { Sink } from '../../src/cli/shell.ts'
import { loadConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/observability/log.ts'
import { testDatabase } from '../support/database.ts'
import type { Leftover } from '../support/leftovers.ts'
import { secret_key } from '../support/secret-key.ts'
import { waitFor } from '../support/wait.ts'

export const bin = fileURLToPath(new URL('../../bin/nuqta', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** The objects of `--json`, one a line. */
  readonly json: Record<string, unknown>[]
}

export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** The standard input, of a command in this process. */
  readonly input?: string
  /** Another `bin/nuqta` than this project's, for a process. */
  readonly program?: string
}

/** The environment of a plain shell, without the settings of the person who runs the tests. */
export function environment(env: RunOptions['env'] = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...env }
}

/** Runs a command in this process, to its end. `test/cli/process.test.ts` compares it with one in a process of its own. */
export async function nuqta(args: readonly string[], { cwd, env, input = '' }: RunOptions): Promise<Ended> {
  const written = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof written): Sink => ({ write: (text) => (written[name] += text) })
  const streams = { stdin: Readable.from([input]), stdout: sink('stdout'), stderr: sink('stderr') }
  const code = await run(['node', 'nuqta', ...args], { env: environment(env), cwd, ...streams, exitCode: 0 })
  return resultOf(code, written.stdout, written.stderr)
}

/** Runs the real program in a process of its own, to its end. */
export async function nuqtaProcess(args: readonly string[], { cwd, env, program = bin }: RunOptions): Promise<Ended> {
  const child = spawn(program, args, { cwd, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return resultOf(...(await Promise.all([ended, text(child.stdout), text(child.stderr)])))
}

function resultOf(code: number | null, stdout: string, stderr: string): Ended {
  return {
    code,
    stdout,
    stderr,
    get json() {
      return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))
    },
  }
}

export interface Served {
  readonly child: ChildProcess
  readonly pid: number
  readonly banner: string
  stderr(): string
  /** Sends a signal and gives the exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>
}

export interface ServeOptions extends RunOptions {
  /** True: a new sandbox begins with all its shops and their history. */
  readonly history?: boolean
}

/** Starts `serve` on a free port and waits for its banner. A new sandbox has one shop and no history. */
export async function serve(
  args: readonly string[],
  { cwd, env, history = false, program = bin }: ServeOptions,
): Promise<Served> {
  const shops = history ? [] : ['--empty']
  const child = spawn(program, ['serve', '--port', '0', ...shops, ...args], {
    cwd,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child)
      resolve(code ?? signal)
    })
  })
  await waitFor('the banner', () => {
    const end = child.exitCode ?? child.signalCode
    if (end !== null) throw new Error(`serve ended with ${end}: ${err}`)
    return out.includes('Nuqta is ready') && out.endsWith('\n\n')
  })
  return {
    child,
    pid: child.pid ?? 0,
    banner: out,
    stderr: () => err,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

const running = new Set<ChildProcess>()

/** A folder for the test file, with a space in its name. Processes left in it are stopped after the file. */
export function scratch(): { readonly path: string } {
  const path = join(tmpdir(), `nuqta cli ${randomUUID()}`)
  // Create it in a hook: if all tests are filtered out, no hook runs and no folder is left.
  beforeAll(() => {
    mkdirSync(path, { mode: 0o700 })
  })
  afterAll(async () => {
    await Promise.all(
      Array.from(running, (child) => {
        child.kill('SIGKILL')
        return new Promise((resolve) => child.once('close', resolve))
      }),
    )
    rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  return { path }
}

export interface ClientEnv {
  readonly NUQTA_BASE_URL: string
  readonly NUQTA_PUBLIC_KEY: string
  readonly NUQTA_PRIVATE_KEY: string
  readonly NUQTA_CA: string
}

export function readClientEnv(file: string): ClientEnv {
  return parseEnv(readFileSync(file, 'utf8')) as unknown as ClientEnv
}

export interface Reply {
  readonly status: number
  readonly body: { readonly status: boolean; readonly message: string; readonly data?: Record<string, unknown> }
}

/** One request of a client that trusts the local authority. */
export function call(
  env: Pick<ClientEnv, 'NUQTA_BASE_URL' | 'NUQTA_CA'>,
  { path, key, body }: { readonly path: string; readonly key?: string; readonly body?: object },
): Promise<Reply> {
  const sent = request(new URL(env.NUQTA_BASE_URL.replace(/\/api$/, '') + path), {
    method: body === undefined ? 'GET' : 'POST',
    ca: readFileSync(env.NUQTA_CA),
    agent: false,
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) },
  })
  return new Promise((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
      text(response).then((received) => {
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(received) as Reply['body'] })
      }, reject)
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

export interface Running {
  readonly cwd: string
  /** The environment in which commands find the service's database. */
  readonly env: Readonly<Record<string, string>>
  /** The sandbox's keys, as its file has them now. */
  client(): ClientEnv
  /** Runs a command beside the service. */
  run(...args: string[]): Promise<Ended>
}

/** Starts the whole service of `nuqta serve` in this process, on a free port. */
export function serveHere({ cwd, env }: RunOptions): Promise<Composed> {
  const config = loadConfig({ env: environment(env), flags: { port: '0' }, cwd })
  return compose(config, { log: createLog({ level: 'silent' }), progress: () => undefined }, { empty: true })
}

export interface RunningOptions {
  /** Settings, read when the service starts. */
  readonly env?: Readonly<Record<string, string>>
  readonly leaves?: readonly Leftover[]
}

/**
 * Serves the test file: the whole service of `nuqta serve`, in this process, on a database of the file's own. Commands find
 * it by their environment, as those of an operator with DATABASE_URL do.
 */
export function runningService({ env: more = {}, leaves = [] }: RunningOptions = {}): Running {
  const { url, owner_url } = testDatabase({ leaves })
  const { path: cwd } = scratch()
  const database = { DATABASE_URL: url, NUQTA_MIGRATION_URL: owner_url, NUQTA_SECRET_KEY: secret_key }
  const env = () => ({ ...database, ...more })
  let service: Composed | undefined
  beforeAll(async () => {
    service = await serveHere({ cwd, env: env() })
  })
  afterAll(() => service?.stop())
  return {
    cwd,
    get env() {
      return env()
    },
    client: () => readClientEnv(join(cwd, 'data/sandbox.env')),
    run: (...args) => nuqta(args, { cwd, env: env() }),
  }
}

let sequence = 0

/** A purchase of 10 SAR with a new order number. */
export function earn(env: ClientEnv, key: string = env.NUQTA_PRIVATE_KEY, phone_number = '0533333333'): Promise<Reply> {
  sequence += 1
  const products = [{ product_name: 'Tea', product_price: 10, quantity: 1 }]
  const body = { phone_number, total_price: 10, products, order_number: `cli-${process.pid}-${sequence}` }
  return call(env, { path: '/api/v1/orders/earning', key, body })
}
