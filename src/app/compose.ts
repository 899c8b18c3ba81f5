import type { Config } from '../config/config.ts'
import { type DataDirectory, openDataDirectory } from '../config/data-directory.ts'
import { dashboardRoutes } from '../dashboard-routes.ts'
import { type OpenDatabase, openDatabase } from '../db/open.ts'
import type { Database } from '../db/pool.ts'
import { prepareSchema, refuseForeignTables } from '../db/prepare.ts'
import { createReadiness } from '../db/readiness.ts'
import type { KeepRequest } from '../domain/answered.ts'
import { requireSecretKey } from '../features/deployment/canary.ts'
import { addDemoOwner, bootstrapSandbox, type OpenedSandbox } from '../features/deployment/sandbox.ts'
import { secretKeysOf } from '../features/deployment/secret-keys.ts'
import { claimDeployment, refuseOther } from '../features/deployment/service.ts'
import { logMessagesUsed } from '../features/limits/message-budget.ts'
import { RequestLog, startRequestLog } from '../features/requests/service.ts'
import type { FrameDeps } from '../http/frame.ts'
import { createServer, type Server } from '../http/server.ts'
import { digestOf, lifeOf } from '../http/transport/certificates.ts'
import { findCertificate, type ServerCertificate, watchCertificate } from '../http/transport/server-certificate.ts'
import { atMostEvery } from '../lib/at-most-every.ts'
import { OffsetClock } from '../lib/clock.ts'
import { Disposer, unlessStopped } from '../lib/disposer.ts'
import { JobBook } from '../lib/job-book.ts'
import { explainListenError } from '../lib/listen.ts'
import { createSecretBox, type SecretBox } from '../lib/secrets.ts'
import { stopTimes } from '../lib/stop-times.ts'
import { serviceVersion } from '../lib/version.ts'
import {
  createBatchSizes,
  createBusinessMetrics,
  createMessageMetrics,
  createRequestLogMetrics,
} from '../observability/feature-metrics.ts'
import type { Log } from '../observability/log.ts'
import {
  createBuildInfo,
  createMetrics,
  createPoolMetrics,
  type Metrics,
  type MetricsSources,
  startMetrics,
} from '../observability/metrics.ts'
import type { Traces } from '../observability/traces.ts'
import { pages, routes, type Services } from '../routes.ts'
import { completeHistory, type HistoryParts, keepSandboxKeys } from './demo.ts'
import { beginHeartbeat } from './heartbeat.ts'
import { connectionsOf, requirePorts, withPort } from './listening.ts'
import { createPaymentProviders, createPorts, createSmsSender } from './ports.ts'
import { createBudget, createDeps, type ServiceParts } from './services.ts'
import { startWorkers } from './workers.ts'

/** A running service, and what its operator needs to know. */
export interface Running {
  readonly base_url: string
  /** Undefined in production, and where nothing listens (`--role worker`). */
  readonly sandbox:
    | (OpenedSandbox & {
        readonly env_file: string
        readonly has_ca: boolean
        /** Signs in to the dashboard once; only of the first start that listens. */
        readonly sign_in: string | undefined
      })
    | undefined
  /** Fails readiness, finishes what runs and closes everything in the reverse order of its opening. */
  stop(): Promise<void>
}

export interface Env {
  readonly log: Log
  /** Receives a few words about each step that takes a while. */
  readonly progress: (text: string) => void
  /** Ends the start, with its reason. Later it has no effect. */
  readonly stopping?: AbortSignal
}

export interface StartOptions {
  /** A new sandbox has one shop and no history. */
  readonly empty: boolean
}

/**
 * The one composition root: configuration → database → features → server and workers.
 * @throws the reason of `stopping`, once what has begun is closed
 */
export async function compose(settings: Config, env: Env, options: StartOptions): Promise<Running> {
  const disposer = new Disposer()
  try {
    const config = await withPort(settings)
    await requirePorts(config)
    return await unlessStopped(start(config, { ...env, ...options }, disposer), env.stopping, disposer)
  } catch (error) {
    await disposer.close()
    throw error
  }
}

async function start(config: Config, env: Env & StartOptions, disposer: Disposer): Promise<Running> {
  const { log } = env
  const { environment, public_url, role } = config
  const dir = await openDataDirectory(config.data_dir)
  const { open, clock, keys, secrets } = await openDeployment(config, { ...env, dir }, disposer)
  const db = open.service

  // The metrics are served while the start goes on, and in a stop until its end.
  let is_up = false
  const stop = (): Promise<void> => {
    is_up = false
    return disposer.close()
  }
  const metrics = createMetrics()
  addProcessMetrics(config, db, metrics)
  const traces = await openTraces(config, db, disposer)
  const isReady = createReadiness(db)
  await serveMetrics(config, { registry: metrics.registry, isReady: async () => is_up && isReady() }, disposer)

  const payments = createPaymentProviders({ db, clock, secrets, environment, public_url, settings: config.payment })
  const sms = createSmsSender(config.sms)
  const budget = createBudget(db, { ...config, clock, sms, secrets, onMessagesUsed: logMessagesUsed(log) })
  createMessageMetrics(metrics.registry, atMostEvery(message_use_ms, budget.use))

  const base_url = `${public_url}/api`
  const jobs = new JobBook()
  const workers = { dir, open, clock, metrics, traces, log, secrets, payments, sms, budget, jobs }
  const beats = { open, clock, keys, jobs }
  if (role === 'worker') {
    await startWorkers(config, workers, disposer)
    await beginHeartbeat(config, { ...beats, certificateEnd: () => null }, disposer)
    is_up = true
    return { base_url, sandbox: undefined, stop }
  }
  const find = (): Promise<ServerCertificate> => findCertificate(config, dir)
  const certificate = await find()
  const ports = await createPorts(config, { payments, smsSender: sms, log })
  const batches = createBatchSizes(metrics.registry)
  const parts = { ...config, ...ports, clock, batches, ...keys, budget, onKeysReplaced: keepSandboxKeys(config, dir) }
  const deps = createDeps(db, parts)
  disposer.add(() => deps.services.staff.background.idle())
  const place = { base_url, ca: certificate.caPath, dir, now: clock.now(), empty: env.empty }
  // Before the workers: they would expire the checkouts of the history.
  const sandbox = environment === 'sandbox' ? await openSandbox(open, place, parts) : undefined
  if (role === 'all') await startWorkers(config, workers, disposer)
  const keepRequest = keepRequests(config, { db, metrics, log }, disposer)
  const parts_of_server = { certificate, deps: { ...deps, keepRequest }, metrics, log, traceRequest: traces?.request }
  const server = await serveApi(config, parts_of_server, disposer)
  const watch = watchCertificate({ current: certificate, find, log, renew: (renewed) => server.renew(renewed) })
  disposer.add(watch.stop)
  const certificateEnd = () => lifeOf(watch.current().cert, new Date()).ends_on
  const certificateDigest = () => digestOf(watch.current().cert)
  await beginHeartbeat(config, { ...beats, port: config.port, certificateEnd, certificateDigest }, disposer)
  const opened = sandbox && { ...sandbox, sign_in: await addDemoOwner(db, base_url) }
  is_up = true
  return { base_url, sandbox: opened, stop }
}

/** How often the use of text messages is asked for at most. */
const message_use_ms = 15_000

/** Adds what every process counts: its version, its connections, the points and orders that it commits. */
function addProcessMetrics({ environment, role }: Config, db: Database, { registry }: Metrics): void {
  createBuildInfo(registry, { version: serviceVersion(), environment, role })
  createPoolMetrics(registry, () => db.connections)
  db.onCounted(createBusinessMetrics(registry))
}

/** Sends spans to a collector, if one is named. */
async function openTraces(
  { otlp_endpoint: endpoint, role }: Config,
  db: Database,
  disposer: Disposer,
): Promise<Traces | undefined> {
  if (endpoint === undefined) return undefined
  const { startTraces } = await import('../observability/traces.ts')
  const traces = await startTraces({ endpoint, role, version: serviceVersion() })
  disposer.add(traces.stop)
  db.traceTransactions(traces.transaction)
  return traces
}

interface OpenDeployment {
  readonly open: OpenDatabase
  readonly clock: OffsetClock
  readonly keys: Pick<ServiceParts, 'secret_key' | 'secret_key_old'>
  readonly secrets: SecretBox
}

/** Opens the database, brings it up to this version, and checks that its environment and secret key are ours. */
async function openDeployment(
  config: Config,
  { dir, log, progress, stopping }: Env & { readonly dir: DataDirectory },
  disposer: Disposer,
): Promise<OpenDeployment> {
  const warn = (text: string): void => log.warn(text)
  const open = await openDatabase(config, dir, {
    as: 'serve',
    progress,
    warn,
    log: (line) => log.debug(line),
    pool: { plans: 'by_key' },
    stopping,
  })
  disposer.add((how) => open.close(how))
  stopping?.throwIfAborted()
  await refuseForeignTables(open.owner)
  await refuseOther(open.owner, config.environment)
  await prepareSchema(open, { progress, warn })

  const deployment = await claimDeployment(open.service, config.environment)
  const keys = await secretKeysOf(config, dir, open.service)
  const secrets = createSecretBox(keys.secret_key, keys.secret_key_old)
  await requireSecretKey(open.service, secrets)
  const clock = new OffsetClock()
  clock.setOffset(deployment.clock_offset_s)
  return { open, clock, keys, secrets }
}

async function serveMetrics(
  { metrics_host: host, metrics_port: port }: Config,
  sources: MetricsSources,
  disposer: Disposer,
): Promise<void> {
  if (port === undefined) return
  const server = await startMetrics({ host, port }, sources).catch((error: unknown) => {
    throw explainListenError(error, 'metrics', port)
  })
  disposer.add(() => server.close())
}

interface SandboxOpening extends StartOptions {
  readonly base_url: string
  readonly ca: string | undefined
  readonly dir: DataDirectory
  readonly now: Date
}

/** Gives a sandbox its demo merchants with their history, and its `sandbox.env`. */
async function openSandbox(
  { service, embedded }: OpenDatabase,
  { dir, now, ...place }: SandboxOpening,
  parts: HistoryParts,
): Promise<Omit<NonNullable<Running['sandbox']>, 'sign_in'>> {
  const file = dir.sandboxEnv
  const opened = await bootstrapSandbox(service, { ...place, file, database_is_ours: embedded }, now)
  if (!place.empty) await completeHistory(service, parts, now)
  return { env_file: file, has_ca: place.ca !== undefined, ...opened }
}

/** Keeps the requests of merchants; nothing where none are to be kept. */
function keepRequests(
  { request_log_days }: Config,
  { db, metrics, log }: { readonly db: Database; readonly metrics: Metrics; readonly log: Log },
  disposer: Disposer,
): KeepRequest | undefined {
  const count = createRequestLogMetrics(metrics.registry)
  if (request_log_days === 0) return undefined
  const onFailure = (err: unknown): void => log.warn({ err }, 'a part of the request log was not written')
  const requests = new RequestLog({ db, count, onFailure })
  disposer.add(startRequestLog(requests))
  return requests.keep
}

interface ApiParts {
  readonly certificate: ServerCertificate
  readonly deps: FrameDeps<Services>
  readonly metrics: Metrics
  readonly log: Log
  readonly traceRequest: Traces['request'] | undefined
}

async function serveApi(config: Config, { certificate, ...parts }: ApiParts, disposer: Disposer): Promise<Server> {
  const server = await createServer({
    ...parts,
    tls: certificate,
    trust_proxy: config.trust_proxy,
    limits: { connections: connectionsOf(parts.log) },
    rows: routes,
    dashboard: dashboardRoutes,
    pages,
    hsts: config.environment === 'production',
    // In production a proxy may end TLS without being trusted: a browser would be sent in circles.
    redirect_browsers_to: config.environment === 'sandbox' ? config.public_url : undefined,
  })
  const { drain_ms, settle_ms, grace_ms } = stopTimes(config)
  disposer.add(() => server.close(grace_ms))
  await server.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw explainListenError(error, 'api', config.port)
  })
  if (drain_ms > 0) disposer.add(() => server.drain({ drain_ms, settle_ms }))
  return server
}
