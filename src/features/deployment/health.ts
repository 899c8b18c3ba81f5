import { partitioned, partitionName } from '../../db/partitions.ts'
import type { Database } from '../../db/pool.ts'
import { uuidV7Floor } from '../../domain/ids.ts'
import { before, day_ms, secondsSince } from '../../domain/spans.ts'
import { listPrograms } from '../merchants/programs.ts'
import { readOpenFindings } from '../payments/findings.ts'
import { readTasksDue } from '../payments/tasks.ts'
import {
  countInvitations,
  countWaiting,
  type DatabaseFacts,
  findMessageError,
  findTaskError,
  findTroubledMerchants,
  type LastError,
  type MerchantDeliveries,
  type PartitionFacts,
  readDatabaseFacts,
  readPartitions,
} from './health-queries.ts'
import { findProcesses, type ProcessRow } from './process-queries.ts'
import { isHeard } from './processes.ts'

/** A delivery that failed today was made this long ago at most: attempts take hours, replays longer. */
const oldest_delivery_ms = 4 * day_ms
/** Each webhook's due and failed deliveries are counted up to this. */
const most_counted = 1_000
/** Queues are counted up to this. */
const most_waiting = 100_000
const most_merchants = 10
const most_programs = 100
const most_processes = 50
const most_partitions = 120

export interface QueueHealth {
  readonly due: number
  readonly oldest_s: number
  readonly last_error: LastError | null
}

export interface PartitionedTable {
  readonly table: string
  readonly partitions: readonly PartitionFacts[]
  /** Whether the partition of the next month is there. */
  readonly next_month: boolean
  readonly next_month_name: string
}

export interface ProcessHealth extends ProcessRow {
  readonly life: 'running' | 'silent' | 'stopped'
}

export interface Health {
  readonly at: Date
  readonly database: DatabaseFacts
  readonly tables: readonly PartitionedTable[]
  readonly deliveries: {
    readonly waiting: number
    readonly oldest_due_s: number
    readonly merchants: readonly MerchantDeliveries[]
  }
  readonly messages: QueueHealth
  readonly payment_tasks: QueueHealth & { readonly refused: number }
  readonly processes: readonly ProcessHealth[]
}

export type ReadHealth = () => Promise<Health>

/** How the deployment is, from catalogues and the indexes of its queues. */
export async function readHealth(db: Database, now: Date = new Date()): Promise<Health> {
  const programs = await programsOf(db)
  const [database, partitions, processes, deliveries, messages, payment_tasks] = await Promise.all([
    db.one(readDatabaseFacts()),
    db.run(
      readPartitions(
        partitioned.map(({ table }) => table),
        most_partitions,
      ),
    ),
    db.run(findProcesses(before(now, day_ms), most_processes)),
    deliveriesOf(db, programs, now),
    readInvitations(db, programs, now),
    tasksOf(db, programs, now),
  ])
  if (database === undefined) throw new Error('the database says nothing of itself')
  return {
    at: now,
    database,
    tables: partitioned.map(({ table }) => tableOf(table, partitions, now)),
    deliveries,
    messages,
    payment_tasks,
    processes: processes.map((one) => ({ ...one, life: lifeOf(one, now) })),
  }
}

/** The programs that pages of the whole deployment look at. */
export async function programsOf(db: Database): Promise<readonly number[]> {
  return (await listPrograms(db)).slice(0, most_programs).map(({ program_id }) => program_id)
}

async function deliveriesOf(db: Database, programs: readonly number[], now: Date): Promise<Health['deliveries']> {
  let waiting = 0
  for (const program_id of programs) {
    if (waiting < most_waiting) waiting += (await db.one(countWaiting(program_id, most_waiting)))?.waiting ?? 0
  }
  const merchants = await troubled(db, programs, now)
  return { waiting, oldest_due_s: ageOf(merchants[0]?.oldest_due_at ?? null, now), merchants }
}

/** The invitations that are due. */
export async function readInvitations(db: Database, programs: readonly number[], now: Date): Promise<QueueHealth> {
  let due = 0
  let oldest: Date | null = null
  for (const program_id of programs) {
    const found = await db.one(countInvitations(program_id, now, most_waiting))
    due += found?.due ?? 0
    const at = found?.oldest_due_at ?? null
    if (at !== null && (oldest === null || at < oldest)) oldest = at
  }
  const last_error = await lastOf(programs, (program_id) => db.one(findMessageError(program_id)))
  return { due, oldest_s: ageOf(oldest, now), last_error }
}

async function tasksOf(db: Database, programs: readonly number[], now: Date): Promise<Health['payment_tasks']> {
  const { tasks: due, oldest_s } = await readTasksDue(db, now)
  const { refused } = await readOpenFindings(db)
  const last_error = await lastOf(programs, (program_id) => db.one(findTaskError(program_id)))
  return { due, oldest_s, refused, last_error }
}

function ageOf(at: Date | null, now: Date): number {
  return at === null ? 0 : secondsSince(at.getTime(), now)
}

async function troubled(db: Database, programs: readonly number[], now: Date): Promise<readonly MerchantDeliveries[]> {
  const since = before(now, day_ms)
  const from = uuidV7Floor(now.getTime() - oldest_delivery_ms)
  const limits = { most: most_counted, size: most_merchants }
  const found: MerchantDeliveries[] = []
  for (const program_id of programs)
    found.push(...(await db.run(findTroubledMerchants(program_id, { now, since, from }, limits))))
  const age = ({ oldest_due_at }: MerchantDeliveries) => oldest_due_at?.getTime() ?? Number.POSITIVE_INFINITY
  return found.sort((a, b) => age(a) - age(b) || b.failed - a.failed).slice(0, most_merchants)
}

async function lastOf(
  programs: readonly number[],
  find: (program_id: number) => Promise<LastError | undefined>,
): Promise<LastError | null> {
  let last: LastError | null = null
  for (const program_id of programs) {
    const found = await find(program_id)
    if (found !== undefined && (last === null || found.at > last.at)) last = found
  }
  return last
}

function tableOf(table: string, all: readonly PartitionFacts[], now: Date): PartitionedTable {
  const partitions = all.filter((one) => one.table === table)
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  const next_month_name = partitionName(table, next)
  return { table, partitions, next_month: partitions.some(({ name }) => name === next_month_name), next_month_name }
}

function lifeOf(row: ProcessRow, now: Date): ProcessHealth['life'] {
  if (row.stopped_at !== null) return 'stopped'
  return isHeard(row, now) ? 'running' : 'silent'
}
