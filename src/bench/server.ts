import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Database } from '../db/pool.ts'
import { findFreePort } from '../lib/listen.ts'
import { openBenchDatabase, serverVersion } from './database.ts'
import { makeScratch, type Scratch } from './scratch.ts'

const command = fileURLToPath(new URL('../../bin/nuqta', import.meta.url))

export interface MerchantKeys {
  readonly merchant_id: number
  readonly program_id: number
  readonly public_key: string
  readonly private_key: string
}

/** A `nuqta serve` started for the bench, in its own data directory, as a user would start it. */
export interface BenchServer {
  /** A folder for files of the bench, removed with the server and with this process. */
  readonly folder: string
  readonly data_dir: string
  readonly pid: number
  readonly port: number
  readonly ca: string
  /** The version of its database server, like `PostgreSQL 18.1`. */
  readonly database: string
  /** Runs a nuqta command, beside the server unless it names another data directory; gives its output, one object a line. */
  command(...args: string[]): Promise<unknown[]>
  /** The value of a metric, summed over its labels. */
  metric(name: string): Promise<number>
  /** The values of several metrics at one moment. */
  metrics(...names: string[]): Promise<number[]>
  /**
   * Ends the server by SIGTERM and starts it again in its data directory, on another port.
   * @throws if it ended with another code than 0
   */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Runs a nuqta command that needs no server. */
export async function runNuqta(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<void> {
  await promisify(execFile)(command, [...args], { env: { ...process.env, ...settings } })
}

/**
 * Starts the server and waits until it is ready.
 * @param postgres further lines of the database's configuration
 * @param settings further environment variables
 */
export async function startBenchServer(
  postgres: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchServer> {
  const scratch = await makeScratch('nuqta-bench-')
  try {
    return await startIn(scratch, postgres, settings)
  } catch (error) {
    await scratch.remove()
    throw error
  }
}

async function startIn(
  scratch: Scratch,
  postgres: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<BenchServer> {
  const folder = scratch.path
  const data_dir = join(folder, 'data')
  if (postgres.length > 0) {
    await promisify(execFile)(command, ['migrate', '--data-dir', data_dir], { cwd: folder })
    await appendFile(join(data_dir, 'postgres', 'postgresql.conf'), `${postgres.join('\n')}\n`)
  }
  const env: NodeJS.ProcessEnv = { ...process.env, ...settings }
  const start = () => startProcess(scratch, data_dir, env)
  let running = await start()
  const ca = await readFile(join(data_dir, 'tls', 'ca.pem'), 'utf8')
  const metrics = async (...names: string[]): Promise<number[]> => {
    const text = await (await fetch(`http://127.0.0.1:${running.metricsPort}/metrics`)).text()
    return names.map((name) => sumOf(text.split('\n'), name))
  }
  return {
    folder,
    data_dir,
    get pid() {
      return running.child.pid ?? 0
    },
    get port() {
      return running.port
    },
    ca,
    database: await databaseVersion(data_dir, env['DATABASE_URL']),
    async command(...args) {
      const place = args.includes('--data-dir') ? [] : ['--data-dir', data_dir]
      const { stdout } = await promisify(execFile)(command, [...args, ...place, '--json'], {
        cwd: folder,
        env,
        maxBuffer: 1 << 28,
      })
      return stdout.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]))
    },
    metric: async (name) => (await metrics(name))[0] ?? 0,
    metrics,
    async restart() {
      await end(running.child)
      scratch.endWith(undefined)
      const { exitCode, signalCode } = running.child
      if (exitCode !== 0) throw new Error(`the server of the bench ended with ${exitCode ?? signalCode}`)
      running = await start()
    },
    async stop() {
      await end(running.child)
      scratch.endWith(undefined)
      await scratch.remove()
    },
  }
}

/** Verifies the ledger, and gives how many differences there are. */
export async function countDifferences(server: Pick<BenchServer, 'command'>): Promise<number> {
  const [verified] = (await server.command('ledger', 'verify')) as { differences: unknown[] }[]
  return verified?.differences.length ?? Number.NaN
}

interface ServerProcess {
  readonly child: ChildProcess
  readonly port: number
  readonly metricsPort: number
}

/** Starts the server on free ports, and waits until it is ready. */
async function startProcess(scratch: Scratch, data_dir: string, env: NodeJS.ProcessEnv): Promise<ServerProcess> {
  const folder = scratch.path
  const [port, metricsPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')]
  // The log is written as in production, and its cost is measured with the rest.
  const log = await open(join(folder, 'log'), 'a')
  const child = spawn(command, ['serve', '--empty', '--data-dir', data_dir, '--port', String(port)], {
    cwd: folder,
    env: { ...env, NUQTA_METRICS_PORT: String(metricsPort) },
    stdio: ['ignore', 'pipe', log.fd],
  })
  await log.close()
  scratch.endWith(child.pid)
  await ready(child, join(folder, 'log'))
  return { child, port, metricsPort }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** The version of the database that a server uses: the one at `url`, or its own. */
async function databaseVersion(data_dir: string, url: string | undefined): Promise<string> {
  if (url === undefined) {
    const { db, close } = await openBenchDatabase({ data_dir })
    return serverVersion(db).finally(close)
  }
  const db = new Database(url, { size: 1 })
  return serverVersion(db).finally(() => db.close())
}

function sumOf(lines: readonly string[], name: string): number {
  const values = lines.filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
  return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}

/** Waits for the banner, which is printed once requests are answered. */
function ready(child: ChildProcess, log: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', async () => {
      const said = await readFile(log, 'utf8').catch(() => '')
      reject(new Error(`the server of the bench ended at its start:\n${said.slice(-4_000)}`))
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('is ready')) resolve()
    })
  })
}
