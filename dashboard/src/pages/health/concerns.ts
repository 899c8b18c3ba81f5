import { isOldBackup } from '../../../../src/domain/backup.ts'
import type { DataOf } from '../../api/client.ts'
import type { TextKey } from '../../texts/catalogue.ts'
import type { Values } from '../../texts/translate.ts'

export type Health = DataOf<'/operator/health', 'get'>
export type Process = Health['processes'][number]
export type Job = Process['jobs'][number]

/** Something that a person should look at. */
export interface Concern {
  readonly text: TextKey
  readonly values?: Values
  /** What the service itself said of it. */
  readonly detail?: string
}

/** A transaction that is open for longer keeps old rows from being cleaned up. */
const long_transaction_s = 900
/** Attempts are made within a second where workers keep up. */
const long_due_s = 300

/** What needs a look, the most urgent first. */
export function concernsOf(health: Health): Concern[] {
  const { database, tables, deliveries, messages, payment_tasks, processes } = health
  const running = processes.filter(({ life }) => life === 'running')
  const concerns: (Concern | false)[] = [
    !running.some(({ role }) => role !== 'api') && { text: 'health.no_worker' },
    ...processes
      .filter(({ life }) => life === 'silent')
      .map(({ host, pid }) => ({ text: 'health.silent', values: { host, pid: String(pid) } }) as const),
    ...checksOf(running),
    ...jobsOf(processes)
      .filter(({ failures }) => failures > 0)
      .map(
        (job) =>
          ({
            text: 'health.job_fails',
            values: { count: job.failures, number: job.failures },
            detail: `${job.name}: ${job.error ?? ''}`,
          }) as const,
      ),
    ...tables
      .filter(({ next_month }) => !next_month)
      .map(({ next_month_name }) => ({ text: 'health.no_partition', detail: next_month_name }) as const),
    deliveries.oldest_due_s > long_due_s && { text: 'health.deliveries_late' },
    givenUp(deliveries) > 0 && {
      text: 'health.deliveries_given_up',
      values: { count: givenUp(deliveries), number: givenUp(deliveries) },
    },
    messages.oldest_s > long_due_s && { text: 'health.messages_late' },
    payment_tasks.refused > 0 && {
      text: 'health.refused_tasks',
      values: { count: payment_tasks.refused, number: payment_tasks.refused },
    },
    (database.oldest_transaction_s ?? 0) > long_transaction_s && { text: 'health.long_transaction' },
    database.connections > database.most_connections * 0.9 && { text: 'health.connections_full' },
    isOld(database.backed_up_at, health.at) && { text: 'health.old_backup' },
    new Set(running.map(({ version }) => version)).size > 1 && { text: 'health.two_versions' },
  ]
  return concerns.filter((one) => one !== false)
}

/** Counts the deliveries of the listed merchants that were given up within a day. */
function givenUp({ merchants }: Health['deliveries']): number {
  return merchants.reduce((sum, { failed }) => sum + failed, 0)
}

/** What the processes' own checks complain of, each once. */
function checksOf(processes: readonly Process[]): Concern[] {
  const bad = processes.flatMap(({ checks }) => checks?.findings.filter(({ ok }) => !ok) ?? [])
  const texts = new Map(bad.map(({ check, detail, advice }) => [`${check}: ${detail}`, advice]))
  return [...texts].map(([detail, advice]) => ({
    text: 'health.check_fails',
    detail: advice === undefined ? detail : `${detail}. ${advice}`,
  }))
}

/** An old backup. The service knows only of backups that it has made itself. */
function isOld(backed_up_at: string | null, at: string): boolean {
  return backed_up_at !== null && isOldBackup(new Date(backed_up_at), new Date(at))
}

/** Gives each background job once, as the running process that ran it last reports it. */
export function jobsOf(processes: readonly Process[]): Job[] {
  const jobs = new Map<string, Job>()
  const last = ({ started_at }: Job) => started_at ?? ''
  for (const { life, jobs: own } of processes) {
    if (life !== 'running') continue
    for (const job of own) {
      const known = jobs.get(job.name)
      if (known === undefined || last(job) > last(known)) jobs.set(job.name, job)
    }
  }
  return [...jobs.values()]
}
