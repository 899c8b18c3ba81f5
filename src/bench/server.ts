import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const command = fileURLToPath(new URL('../../bin/nuqta', import.meta.url))

export interface MerchantKeys {
  readonly merchant_id: number
  readonly program_id: number
  readonly public_key: string
  readonly private_key: string
}

/** A `nuqta serve` of the bench's own, in a data directory of its own, as a user would start it. */
export interface BenchServer {
  readonly data_dir: string
  readonly port: number
  readonly ca: string
  /** Runs a command of ours beside it and gives its output, one object a line. */
  command(...args: string[]): Promise<unknown[]>
  /** A metric's value, summed over its labels. */
  metric(name: string): Promise<number>
  stop(): Promise<void>
}

/** Starts the server and waits until it is ready. @param postgres further lines of its database's configuration */
export async function startBenchServer(postgres: readonly string[] = []): Promise<BenchServer> {
  const data_dir = await mkdtemp(join(tmpdir(), 'nuqta-bench-'))
  if (postgres.length > 0) {
    await promisify(execFile)(command, ['migrate', '--data-dir', data_dir], { cwd: data_dir })
    await appendFile(join(data_dir, 'postgres', 'postgresql.conf'), `${postgres.join('\n')}\n`)
  }
  const [port, metricsPort] = [await freePort(), await freePort()]
  const env = { ...process.env, NUQTA_METRICS_PORT: String(metricsPort), NUQTA_LOG_LEVEL: 'warn' }
  const child = spawn(command, ['serve', '--data-dir', data_dir, '--port', String(port)], {
    cwd: data_dir,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await ready(child)
  const ca = await readFile(join(data_dir, 'tls', 'ca.pem'), 'utf8')
  return {
    data_dir,
    port,
    ca,
    async command(...args) {
      const { stdout } = await promisify(execFile)(command, [...args, '--data-dir', data_dir, '--json'], {
        cwd: data_dir,
        maxBuffer: 1 << 28,
      })
      return stdout.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]))
    },
    async metric(name) {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      const values = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
      return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await rm(data_dir, { recursive: true, force: true })
    },
  }
}

/** The banner is printed once requests are answered. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the server of the bench ended at its start')))
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('is ready')) resolve()
    })
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
