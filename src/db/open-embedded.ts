import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DataDirectory, type DataDirectoryLock, lockDataDirectory } from '../config/data-directory.ts'
import { attachEmbedded, type EmbeddedDatabase, startEmbedded } from './embedded.ts'
import { type OpenDatabase, type OpenOptions, openPools } from './pools.ts'
import { DatabaseSetupError } from './refused.ts'

/** How long a command waits for another one, or for a `serve` that is just starting or stopping. */
const patience_ms = 30_000
const restart_pause_ms = 1_000

/**
 * Starts the embedded database of a data directory, or uses the one that a running `serve` has started.
 * @throws DatabaseSetupError when another process has it for itself
 */
export async function openEmbedded(dir: DataDirectory, options: OpenOptions): Promise<OpenDatabase> {
  const found = await lockOrAttach(dir, options)
  if ('attached' in found) {
    const { attached } = found
    return { ...withPools(attached, options, () => attached.stop()), attached: true }
  }
  const { lock } = found
  try {
    const keeper = await keepRunning(dir, options)
    return withPools(keeper.first, options, async () => {
      await keeper.stop()
      await lock.release()
    })
  } catch (error) {
    await lock.release()
    throw error
  }
}

function withPools(database: EmbeddedDatabase, options: OpenOptions, end: () => Promise<void>): OpenDatabase {
  const service_at = database.connection('service')
  const pools = openPools(service_at, database.connection('owner'), options)
  return {
    ...pools,
    service_role: service_at.user,
    embedded: true,
    attached: false,
    async close() {
      await pools.close()
      await end()
    },
  }
}

type Found = { readonly lock: DataDirectoryLock } | { readonly attached: EmbeddedDatabase }

async function lockOrAttach(dir: DataDirectory, { as, progress }: OpenOptions): Promise<Found> {
  const deadline = Date.now() + patience_ms
  for (let told = false; ; told = true) {
    const lock = await lockDataDirectory(dir)
    if (lock !== null) return { lock }
    const attached = await attachEmbedded(dir)
    if (attached !== null && as === 'command') return { attached }
    await attached?.stop()
    if (attached !== null) throw new DatabaseSetupError(inUse(dir, 'nuqta serve'))
    if (Date.now() > deadline) throw new DatabaseSetupError(inUse(dir, 'process'))
    if (!told) progress('Waiting for another process that uses the data directory')
    await sleep(100)
  }
}

function inUse(dir: DataDirectory, who: string): string {
  return `Another ${who} is using the data directory ${dir.path}: stop it, or choose another with --data-dir.`
}

/** Starts the database and, whenever it dies under us, starts it again until it is stopped. */
async function keepRunning(
  dir: DataDirectory,
  { as, progress, log, warn }: OpenOptions,
): Promise<{ readonly first: EmbeddedDatabase; stop(): Promise<void> }> {
  if (!existsSync(dir.cluster)) progress(`Making a database in ${dir.path}`)
  const start = () => startEmbedded(dir, { log, shared: as === 'serve' })
  const first = await start()
  const started = [first]
  let stopping = false

  async function restart(): Promise<void> {
    warn('the embedded PostgreSQL ended: it is started again')
    while (!stopping) {
      try {
        const next = await start()
        started.push(next)
        warn('the embedded PostgreSQL runs again')
        watch(next)
        return
      } catch (error) {
        warn(`the embedded PostgreSQL does not start: ${String(error)}`)
        await sleep(restart_pause_ms)
      }
    }
  }

  let restarting: Promise<void> | undefined
  function watch(database: EmbeddedDatabase): void {
    void database.exited.then(() => {
      restarting = restart()
    })
  }
  watch(first)

  return {
    first,
    async stop() {
      stopping = true
      await restarting
      // The way to the socket that the pools were given belongs to the first.
      for (const database of started.reverse()) await database.stop()
    },
  }
}
