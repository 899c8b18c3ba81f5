import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, expect } from 'vitest'
import { waitFor } from '../support/wait.ts'

const bin = fileURLToPath(new URL('../../bin/nuqta', import.meta.url))

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
  /** Another `bin/nuqta` than this project's. */
  readonly program?: string
}

/** The environment of a plain shell, without the settings of the person who runs the tests. */
function environment(env: RunOptions['env'] = {}): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: process.env['TMPDIR'], ...env }
}

/** Runs the real command in its own process, to its end. */
export async function nuqta(args: readonly string[], { cwd, env, program = bin }: RunOptions): Promise<Ended> {
  const child = spawn(program, args, { cwd, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
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

/** Starts `serve` on a free port and waits for its banner. */
export async function serve(args: readonly string[], { cwd, env, program = bin }: RunOptions): Promise<Served> {
  const child = spawn(program, ['serve', '--port', '0', ...args], {
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
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}: ${err}`)
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
  // In a hook: when all tests are filtered out, no hook runs and no folder is left.
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
  /** The sandbox's keys, as its file has them now. */
  client(): ClientEnv
  /** Runs a command beside the service. */
  run(...args: string[]): Promise<Ended>
}

/** Starts a service for the test file, which has to end with exit code 0. */
export function runningService(): Running {
  const { path: cwd } = scratch()
  let served: Served
  beforeAll(async () => {
    served = await serve([], { cwd })
  })
  afterAll(async () => {
    expect(await served.end('SIGTERM')).toBe(0)
  })
  return {
    cwd,
    client: () => readClientEnv(join(cwd, 'data/sandbox.env')),
    run: (...args) => nuqta(args, { cwd }),
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
