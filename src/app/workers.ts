import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { DataDirectory } from '../config/data-directory.ts'
import type { OpenDatabase } from '../db/open.ts'
import { response_limit_bytes } from '../domain/delivery.ts'
import { startActivityJob } from '../features/activity/jobs.ts'
import { startCheckoutJobs } from '../features/checkout/jobs.ts'
import { createSendInvitations, readMessagesDue } from '../features/customers/invitations.ts'
import { startLedgerRuns } from '../features/deployment/ledger-run-job.ts'
import { startMaintenance } from '../features/deployment/maintenance.ts'
import { erasure_job, startErasures } from '../features/erasure/job.ts'
import { mayErase } from '../features/erasure/queries.ts'
import { startLiabilityJob } from '../features/liability/jobs.ts'
import type { MessageBudget } from '../features/limits/message-budget.ts'
import { createCountMessage } from '../features/limits/message-counts.ts'
import { readOpenFindings } from '../features/payments/findings.ts'
import { createRunDueTasks, readTasksDue } from '../features/payments/tasks.ts'
import { createSendNotices } from '../features/settlement/notices.ts'
import { startSettlementRuns } from '../features/settlement/run-job.ts'
import { createSettlementPages } from '../features/settlement/statement.ts'
import { Dispatcher } from '../features/webhooks/dispatcher.ts'
import { readQueueState } from '../features/webhooks/log.ts'
import { atMostEvery } from '../lib/at-most-every.ts'
import type { Clock } from '../lib/clock.ts'
import type { Disposer } from '../lib/disposer.ts'
import type { JobBook } from '../lib/job-book.ts'
import type { SecretBox } from '../lib/secrets.ts'
import { startWorkerLoop } from '../lib/worker-loop.ts'
import { createDnsResolve } from '../net/dns.ts'
import { createPoster, type Poster } from '../net/post.ts'
import {
  createDeliveryMetrics,
  createFindingMetrics,
  createInvitationMetrics,
  createPaymentMetrics,
} from '../observability/feature-metrics.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Traces } from '../observability/traces.ts'
import type { PaymentProviders } from '../providers/payment/port.ts'
import type { SmsSender } from '../providers/sms/port.ts'

export interface WorkerParts {
  readonly dir: DataDirectory
  readonly open: OpenDatabase
  readonly clock: Clock
  readonly metrics: Metrics
  readonly traces: Traces | undefined
  readonly log: Log
  readonly secrets: SecretBox
  readonly payments: PaymentProviders
  readonly sms: SmsSender
  readonly budget: MessageBudget
  readonly jobs: JobBook
}

const invitations_pause_ms = 1_000
const payments_pause_ms = 1_000
const notices_pause_ms = 2_000
/** How often the ages of queues are asked for at most, however often somebody collects the metrics. */
const queue_age_ms = 15_000

/** Starts the background work of `--role all` and `--role worker`: deliveries, messages, payments, daily figures, maintenance. */
export async function startWorkers(config: Config, parts: WorkerParts, disposer: Disposer): Promise<void> {
  const { dir, open, clock, metrics, traces, log, secrets, jobs } = parts
  const { webhook, retention_days, request_log_days } = config
  const poster = createPoster({
    allow_loopback: webhook.allow_loopback,
    resolve: createDnsResolve(),
    timeout_ms: webhook.timeout_s * 1000,
    ca: config.environment === 'production' ? [] : await sandboxAuthorities(dir, webhook.ca),
    response_limit_bytes,
    proxy: webhook.proxy,
  })
  disposer.add(() => poster.close())
  // Each may take as long as a stop may, and those that wait for their turn would begin more work meanwhile.
  const loops: (() => Promise<void>)[] = []
  disposer.addTogether(loops)
  loops.push(startMaintenance({ open, clock, log, retention_days, request_log_days, record: jobs.of('maintenance') }))
  loops.push(startActivityJob({ db: open.service, log, retention_days, record: jobs.of('daily figures') }))
  loops.push(startLedgerRuns({ db: open.service, log, record: jobs.of('ledger verification') }))
  // Only the owner of the tables may erase. Without these rights requests wait for a command.
  if ((await open.owner.one(mayErase()))?.may === true)
    loops.push(startErasures({ owner: open.owner, secrets, log, record: jobs.of(erasure_job) }))
  loops.push(startLiabilityJob({ db: open.service, log, record: jobs.of('liability') }))
  loops.push(startSettlementRuns({ db: open.service, clock, log, record: jobs.of('settlements') }))
  loops.push(startInvitations(config, parts))
  loops.push(startPaymentTasks(parts))
  loops.push(startCheckoutJobs({ ...config, ...parts, db: open.service }))
  loops.push(startNotices(config, parts, poster))
  createFindingMetrics(
    metrics.registry,
    atMostEvery(queue_age_ms, () => readOpenFindings(open.service)),
  )
  const observe = createDeliveryMetrics(metrics.registry, {
    queue: atMostEvery(queue_age_ms, () => readQueueState(open.service, new Date())),
    in_flight: () => dispatcher.in_flight,
  })
  const dispatcher: Dispatcher = new Dispatcher({
    db: open.service,
    secrets,
    poster,
    settings: webhook,
    observe: {
      ...observe,
      attempted(outcome, duration_ms) {
        observe.attempted(outcome, duration_ms)
        traces?.delivery(outcome, duration_ms)
      },
    },
    warn: (error, text) => log.warn({ err: error }, text),
  })
  loops.push(() => dispatcher.stop())
}

/** Sends notices of settlements to the webhooks of programs. */
function startNotices(
  { webhook }: Config,
  { open, secrets, log, jobs }: WorkerParts,
  poster: Poster,
): () => Promise<void> {
  const db = open.service
  return startWorkerLoop({
    work: createSendNotices({ db, secrets, poster, settlementPages: createSettlementPages(db), settings: webhook }),
    pause_ms: notices_pause_ms,
    record: jobs.of('settlement notices'),
    onFailure: (error) => log.warn({ err: error }, 'notices of settlements could not be sent and are tried again'),
  })
}

function startInvitations(
  { public_url }: Config,
  { open, sms, budget, metrics, log, jobs }: WorkerParts,
): () => Promise<void> {
  createInvitationMetrics(
    metrics.registry,
    atMostEvery(queue_age_ms, () => readMessagesDue(open.service, new Date())),
  )
  const db = open.service
  const onFailed = (message: object): void => log.warn(message, 'an invitation was not sent')
  const countMessage = createCountMessage(db)
  return startWorkerLoop({
    work: createSendInvitations({ db, sms, budget, public_url, onFailed, countMessage }),
    pause_ms: invitations_pause_ms,
    record: jobs.of('invitations'),
    onFailure: (error) => log.warn({ err: error }, 'invitations could not be sent and are tried again'),
  })
}

/** Sends captures, voids and refunds to the payment providers. */
function startPaymentTasks({ open, clock, payments, metrics, log, jobs }: WorkerParts): () => Promise<void> {
  createPaymentMetrics(
    metrics.registry,
    atMostEvery(queue_age_ms, () => readTasksDue(open.service, new Date())),
  )
  return startWorkerLoop({
    work: createRunDueTasks({
      ...{ db: open.service, clock, payments },
      onRefused: (task) =>
        log.warn(task, 'a payment provider refused for good: see the findings of its program, and nuqta orders show'),
      onError: (error) => log.warn({ err: error }, 'a payment task failed and is tried again'),
    }),
    pause_ms: payments_pause_ms,
    record: jobs.of('payment tasks'),
    onFailure: (error) => log.warn({ err: error }, 'payment tasks could not be read and are tried again'),
  })
}

/** The local authority, which may have signed a receiver's certificate, and the one of NUQTA_WEBHOOK_CA. */
async function sandboxAuthorities(dir: DataDirectory, further: string | undefined): Promise<string[]> {
  const local = await readFile(join(dir.tls, 'ca.pem'), 'utf8').catch(() => undefined)
  return [local, further].filter((pem) => pem !== undefined)
}
