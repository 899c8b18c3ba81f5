import { type Connection, Database, type PoolOptions } from './pool.ts'

/** The deployment's database, wherever it is, as a process uses it. */
export interface OpenDatabase {
  /** With the rights of the service: it can add ledger entries and never alter them. */
  readonly service: Database
  /** With the rights of the tables' owner: migrations and partitions. */
  readonly owner: Database
  /** The role that the owner grants the service's rights to; undefined where the two are one. */
  readonly service_role: string | undefined
  readonly embedded: boolean
  /** Another process (`serve`) runs it; its schema is that one's to change. */
  readonly attached: boolean
  close(): Promise<void>
}

export interface OpenOptions {
  /** `serve` keeps the embedded database for itself; a command also uses the one of a running `serve`. */
  readonly as: 'serve' | 'command'
  /** Told what takes a while, in a few words. */
  readonly progress: (text: string) => void
  /** PostgreSQL's own log, line by line. */
  readonly log: (line: string) => void
  /** What an operator should know: the database went away, or came back. */
  readonly warn: (text: string) => void
  readonly pool?: PoolOptions
}

const migration_timeout_ms = 6 * 3_600_000

/** The two pools of a process; nothing is connected yet. */
export function openPools(
  service_at: Connection,
  owner_at: Connection,
  { warn, pool = {} }: OpenOptions,
): Pick<OpenDatabase, 'service' | 'owner' | 'close'> {
  const onError = (error: Error): void => warn(`a connection to the database broke: ${error.message}`)
  const service = new Database(service_at, { onError, ...pool })
  // A migration of large tables takes its time, and plans as the planner sees fit.
  const owner = new Database(owner_at, {
    onError,
    size: 2,
    query_timeout_ms: migration_timeout_ms,
    application_name: 'nuqta-owner',
  })
  return {
    service,
    owner,
    async close() {
      await Promise.all([service.close(), owner.close()])
    },
  }
}
