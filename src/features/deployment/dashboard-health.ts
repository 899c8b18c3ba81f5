import Type, { type Static } from 'typebox'
import { secondsSince } from '../../domain/spans.ts'
import { nullable, oneOf } from '../../http/api/fields.ts'
import type { StaffRequest } from '../../http/dashboard/route.ts'
import type { Health, PartitionedTable, ProcessHealth, QueueHealth, ReadHealth } from './health.ts'
import type { LastError, MerchantDeliveries } from './health-queries.ts'
import type { MessageSpan, ReadMessages } from './messages.ts'

export interface DashboardHealthServices {
  readonly readHealth: ReadHealth
  readonly readMessages: ReadMessages
}

const count = Type.Integer()
const seconds = Type.Number({ description: 'In seconds.' })
const moment = nullable(Type.String())

const queue = {
  due: count,
  oldest_s: seconds,
  last_error: nullable(Type.Object({ at: Type.String(), error: Type.String() })),
}

const job = Type.Object({
  name: Type.String(),
  started_at: moment,
  ended_at: moment,
  took_ms: nullable(count),
  next_at: moment,
  failures: Type.Integer({ description: 'Rounds that have failed since the last good one.' }),
  failed_at: moment,
  error: nullable(Type.String()),
})

const check = Type.Object({
  check: Type.String(),
  ok: Type.Boolean(),
  detail: Type.String(),
  advice: Type.Optional(Type.String()),
})

const process = Type.Object({
  process_uuid: Type.String(),
  life: oneOf(['running', 'silent', 'stopped'], { description: '`silent`: it has said nothing for half a minute.' }),
  role: oneOf(['all', 'api', 'worker']),
  version: Type.String(),
  host: Type.String(),
  pid: count,
  node: Type.String(),
  started_at: Type.String(),
  seen_at: Type.String(),
  certificate_ends_on: nullable(Type.String()),
  jobs: Type.Array(job),
  checks: nullable(Type.Object({ at: Type.String(), findings: Type.Array(check) })),
})

const health = Type.Object({
  at: Type.String(),
  database: Type.Object({
    version: Type.String(),
    bytes: count,
    started_at: Type.String(),
    connections: count,
    most_connections: count,
    oldest_transaction_s: nullable(Type.Number()),
    migration: nullable(Type.String()),
    is_cluster: Type.Boolean(),
    standbys: count,
    standby_lag_s: nullable(Type.Number()),
    backed_up_at: moment,
  }),
  tables: Type.Array(
    Type.Object({
      table: Type.String(),
      next_month: Type.Boolean({ description: 'Whether the partition of the next month is there.' }),
      next_month_name: Type.String(),
      partitions: Type.Array(
        Type.Object({
          name: Type.String(),
          rows: nullable(Type.Integer({ description: 'As last counted by ANALYZE; null before it.' })),
          bytes: count,
        }),
      ),
    }),
  ),
  deliveries: Type.Object({
    waiting: Type.Integer({ description: 'Deliveries that have not ended; counted to 100,000.' }),
    oldest_due_s: seconds,
    merchants: Type.Array(
      Type.Object({
        program_id: count,
        merchant_id: count,
        name: Type.String(),
        name_ar: nullable(Type.String()),
        due: Type.Integer({ description: 'Due now; each webhook is counted to 1,000.' }),
        oldest_due_s: seconds,
        failed: Type.Integer({ description: 'Given up within 24 hours.' }),
      }),
      { description: 'The ten whose deliveries wait longest, then those of whom most have failed.' },
    ),
  }),
  messages: Type.Object(queue),
  payment_tasks: Type.Object({ ...queue, refused: count }),
  processes: Type.Array(process),
})

/** docs/operating.md */
export const readDeploymentHealth = {
  tag: 'Operator',
  summary: 'Read how the deployment is: queues, jobs, database, processes',
  data: health,
  async handle(_: StaffRequest, { readHealth }: DashboardHealthServices) {
    return viewHealth(await readHealth())
  },
} as const

function viewHealth({ at, database, tables, deliveries, messages, payment_tasks, processes }: Health) {
  const { started_at, oldest_transaction_at, backed_up_at, ...facts } = database
  const age = (then: Date | null) => (then === null ? null : secondsSince(then.getTime(), at))
  return {
    at: at.toISOString(),
    database: {
      ...facts,
      started_at: started_at.toISOString(),
      oldest_transaction_s: age(oldest_transaction_at),
      backed_up_at: backed_up_at?.toISOString() ?? null,
    },
    tables: tables.map(viewTable),
    deliveries: { ...deliveries, merchants: deliveries.merchants.map((one) => viewMerchant(one, at)) },
    messages: viewQueue(messages),
    payment_tasks: { ...viewQueue(payment_tasks), refused: payment_tasks.refused },
    processes: processes.map(viewProcess),
  } satisfies Static<typeof health>
}

function viewTable({ table, next_month, next_month_name, partitions }: PartitionedTable) {
  const shown = partitions.map(({ name, rows, bytes }) => ({ name, rows: rows < 0 ? null : rows, bytes }))
  return { table, next_month, next_month_name, partitions: shown }
}

function viewMerchant(one: MerchantDeliveries, at: Date) {
  const { program_id, merchant_id, merchant_name: name, merchant_name_ar: name_ar, due, failed, oldest_due_at } = one
  return {
    program_id,
    merchant_id,
    name,
    name_ar,
    due,
    failed,
    oldest_due_s: oldest_due_at === null ? 0 : secondsSince(oldest_due_at.getTime(), at),
  }
}

function viewQueue({ due, oldest_s, last_error }: QueueHealth) {
  return { due, oldest_s, last_error: viewError(last_error) }
}

function viewError(last: LastError | null) {
  return last === null ? null : { at: last.at.toISOString(), error: last.error }
}

function viewProcess({ facts, started_at, seen_at, stopped_at: _, ...one }: ProcessHealth) {
  const { node, jobs, checks, certificate_ends_on } = facts
  const times = { started_at: started_at.toISOString(), seen_at: seen_at.toISOString() }
  return {
    ...one,
    ...times,
    node,
    certificate_ends_on,
    jobs: [...jobs],
    checks: checks && { ...checks, findings: [...checks.findings] },
  }
}

const use = Type.Object({ used: count, most: count })
const span = Type.Object({
  program_id: Type.Integer({ description: '0 for mails, which belong to no program.' }),
  at: Type.String({ description: 'When the hour began, or the day in Riyadh.' }),
  kind: oneOf(['code', 'invitation', 'mail']),
  sent: count,
  unknown: Type.Integer({ description: 'Handed over, without an answer that says so.' }),
  failed: count,
})

/** docs/messages.md */
export const readDeploymentMessages = {
  tag: 'Operator',
  summary: 'Read how many messages were sent, what is left of the budget, and what failed',
  data: Type.Object({
    at: Type.String(),
    provider: oneOf(['sandbox', 'taqnyat', 'unifonic']),
    budget: Type.Object({ all: use, invitations: use, strangers: use }),
    queue: Type.Object(queue),
    hours: Type.Array(span),
    days: Type.Array(span),
    failures: Type.Array(
      Type.Object({
        program_id: count,
        kind: oneOf(['code', 'invitation', 'mail']),
        outcome: oneOf(['sent', 'unknown', 'failed']),
        error: Type.String(),
        messages: count,
        last_on: Type.String({ description: 'The last day in Riyadh on which it was said.' }),
      }),
    ),
  }),
  async handle(_: StaffRequest, { readMessages }: DashboardHealthServices) {
    const { at, hours, days, failures, queue: waiting, ...rest } = await readMessages()
    return {
      ...rest,
      at: at.toISOString(),
      queue: viewQueue(waiting),
      hours: hours.map(viewSpan),
      days: days.map(viewSpan),
      failures: failures.map(({ last_at, ...one }) => ({ ...one, last_on: last_at.toISOString() })),
    }
  },
} as const

function viewSpan({ at, ...counts }: MessageSpan) {
  return { ...counts, at: at.toISOString() }
}
