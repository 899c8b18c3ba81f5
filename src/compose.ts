import { createServer as createSocketServer } from 'node:net'
import { type Config, localUrl } from './config/config.ts'
import { type DataDirectory, openDataDirectory } from './config/data-directory.ts'
import { refuseForeignTables } from './db/foreign-tables.ts'
import { openDatabase } from './db/open.ts'
import type { Database } from './db/pool.ts'
import { prepareSchema } from './db/prepare.ts'
import { createReadiness } from './db/readiness.ts'
import { logOddPayment } from './features/checkout/jobs.ts'
import { bootstrapSandbox, type SandboxKeys } from './features/deployment/bootstrap.ts'
import { requireSecretKey } from './features/deployment/canary.ts'
import { followClock } from './features/deployment/clock.ts'
import { secretKeysOf } from './features/deployment/secret-keys.ts'
import { claimDeployment, refuseOther } from './features/deployment/service.ts'
import type { FrameDeps } from './http/frame.ts'
import { createServer, type Server } from './http/server.ts'
import { findCertificate, type ServerCertificate, watchCertificate } from './http/transport/server-certificate.ts'
import { OffsetClock } from './lib/clock.ts'
import { Disposer } from './lib/disposer.ts'
import { CliError, errorCode } from './lib/errors.ts'
import { createSecretBox } from './lib/secrets.ts'
import { stopTimes } from './lib/stop-times.ts'
import { createResolve } from './net/resolve.ts'
import { createBatchSizes } from './observability/batch-sizes.ts'
import type { Log } from './observability/log.ts'
import { createMessageMetrics, logMessagesUsed } from './observability/message-metrics.ts'
import { createMetrics, type Metrics, startMetrics, type Told } from './observability/metrics.ts'
import { createPaymentProviders } from './ports.ts'
import type { PaymentProviders } from './providers/payment/port.ts'
import type { SmsSender } from './providers/sms/port.ts'
import { sandboxSms } from './providers/sms/sandbox.ts'
import { createTaqnyat } from './providers/sms/taqnyat.ts'
import { createUnifonic } from './providers/sms/unifonic.ts'
import { createGoogleTranslate } from './providers/translation/google.ts'
import { createLibreTranslate } from './providers/translation/libretranslate.ts'
import type { Translator } from './providers/translation/port.ts'
import { pages, routes, type Services } from './routes.ts'
import { createBudget, createDeps, type Ports } from './services.ts'
import { startWorkers } from './workers.ts'

/** A running service, and what a person needs to know of it. */
export interface Running {
  readonly base_url: string
  /** Undefined where nothing listens (`--role worker`) and in production. */
  readonly sandbox: { readonly env_file: string; readonly has_ca: boolean; readonly keys: SandboxKeys } | undefined
  /** Fails readiness, finishes what runs and closes everything in the reverse order of its opening. */
  stop(): Promise<void>
}

export interface Env {
  readonly log: Log
  /** Told what takes a while, in a few words. */
  readonly progress: (text: string) => void
}

/** The one composition root: configuration → database → features → server and workers. */
export async function compose(settings: Config, env: Env): Promise<Running> {
  const closing = new Disposer()
  try {
    const config = await withPort(settings)
    return await assemble(config, env, closing)
  } catch (error) {
    await closing.close()
    throw error
  }
}

async function assemble(config: Config, { log, progress }: Env, closing: Disposer): Promise<Running> {
  const dir = await openDataDirectory(config.data_dir)
  const warn = (text: string): void => log.warn(text)
  const open = await openDatabase(config, dir, {
    as: 'serve',
    progress,
    warn,
    log: (line) => log.debug(line),
    pool: { plans: 'by_key' },
  })
  closing.add(() => open.close())
  await refuseForeignTables(open.owner)
  await refuseOther(open.owner, config.environment)
  await prepareSchema(open, { progress, warn })

  const deployment = await claimDeployment(open.service, config.environment)
  const keys = await secretKeysOf(config, dir, open.service)
  const secrets = createSecretBox(keys.secret_key, keys.secret_key_old)
  await requireSecretKey(open.service, secrets)
  const clock = new OffsetClock()
  clock.setOffset(deployment.clock_offset_s)
  if (config.environment === 'sandbox') closing.add(followClock(open.service, clock))

  let stopping = false
  const stop = (): Promise<void> => {
    stopping = true
    return closing.close()
  }
  const metrics = createMetrics()
  const ready = createReadiness(open.service)
  await serveMetrics(config, { registry: metrics.registry, isReady: async () => !stopping && ready() }, closing)
  const base_url = `${config.public_url}/api`
  const payments = createPaymentProviders({
    ...{ db: open.service, clock, secrets, settings: config.payment },
    ...{ environment: config.environment, public_url: config.public_url },
  })
  const sms = smsOf(config.sms)
  const onMessagesUsed = logMessagesUsed(log)
  const budget = createBudget(open.service, { ...config, clock, sms, secrets, onMessagesUsed })
  createMessageMetrics(metrics.registry, budget.use)
  const workers = { dir, open, clock, metrics, log, secrets, payments, sms, budget }
  if (config.role === 'worker') {
    await startWorkers(config, workers, closing)
    return { base_url, sandbox: undefined, stop }
  }
  const find = (): Promise<ServerCertificate> => findCertificate(config, dir)
  const tls = await find()
  if (config.role === 'all') await startWorkers(config, workers, closing)
  const batches = createBatchSizes(metrics.registry)
  const shared = { ...outside(config, payments, log), clock, batches, ...keys, budget }
  const deps = createDeps(open.service, { ...config, ...shared })
  const sandbox =
    config.environment === 'production'
      ? undefined
      : await sandboxOf(open.service, { base_url, ca: tls.caPath, dir, embedded: open.embedded, now: clock.now() })
  const server = await listen(config, { tls, deps, metrics, log }, closing)
  const care = watchCertificate({ current: tls, find, log, renew: (fresh) => server.renew(fresh) })
  closing.add(care.stop)
  return { base_url, sandbox, stop }
}

/** Who is asked outside of this process, and who is told when they do not answer. */
function outside({ webhook, translation, sms }: Config, payments: PaymentProviders, log: Log): Ports {
  return {
    webhook: { ...webhook, resolve: createResolve() },
    payments,
    translator: translatorOf(translation),
    sms: smsOf(sms),
    // Not as `detail`, which no log shows: database errors tell rows in it.
    onUnsent: ({ kind, detail }) =>
      log.warn({ provider: sms.provider, outcome: kind, reason: detail }, 'a code may not have been sent'),
    onOddPayment: logOddPayment(log),
    onUntranslated: (reason) => log.warn({ provider: translation.provider, reason }, 'label not translated: copied'),
    onUnkept: (error) => log.warn({ err: error }, 'an answer was sent and could not be kept for its Idempotency-Key'),
  }
}

function translatorOf(settings: Config['translation']): Translator | undefined {
  if (settings.provider === 'libretranslate') return createLibreTranslate(settings)
  return settings.provider === 'google' ? createGoogleTranslate(settings) : undefined
}

function smsOf(settings: Config['sms']): SmsSender {
  if (settings.provider === 'taqnyat') return createTaqnyat(settings)
  return settings.provider === 'unifonic' ? createUnifonic(settings) : sandboxSms
}

async function serveMetrics(
  { metrics_host: host, metrics_port: port }: Config,
  told: Told,
  closing: Disposer,
): Promise<void> {
  if (port === undefined) return
  const server = await startMetrics({ host, port }, told).catch((error: unknown) => {
    throw cannotListen(error, 'NUQTA_METRICS_PORT', port)
  })
  closing.add(() => server.close())
}

async function listen(
  config: Config,
  parts: {
    readonly tls: { readonly cert: string; readonly key: string }
    readonly deps: FrameDeps<Services>
    readonly metrics: Metrics
    readonly log: Log
  },
  closing: Disposer,
): Promise<Server> {
  const { tls, deps, metrics, log } = parts
  const server = await createServer({
    tls,
    trust_proxy: config.trust_proxy,
    log,
    metrics,
    rows: routes,
    pages,
    deps,
    hsts: config.environment === 'production',
  })
  const { drain_ms, settle_ms, grace_ms } = stopTimes(config)
  closing.add(() => server.close(grace_ms))
  await server.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw cannotListen(error, '--port or NUQTA_PORT', config.port)
  })
  if (drain_ms > 0) closing.add(() => server.drain({ drain_ms, settle_ms }))
  return server
}

async function sandboxOf(
  db: Database,
  place: {
    readonly base_url: string
    readonly ca: string | undefined
    readonly dir: DataDirectory
    readonly embedded: boolean
    readonly now: Date
  },
): Promise<Running['sandbox']> {
  const { base_url, ca, dir, embedded, now } = place
  const env_file = dir.sandboxEnv
  const keys = await bootstrapSandbox(db, { file: env_file, base_url, ca, database_is_ours: embedded }, now)
  return { env_file, has_ca: ca !== undefined, keys }
}

/** Port 0 stands for any that is free, and everything that names the port is to name that one. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const port = await freePort(config.host)
  const public_url = config.public_url === localUrl(0) ? localUrl(port) : config.public_url
  return Object.freeze({ ...config, port, public_url })
}

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createSocketServer().once('error', reject)
    probe.listen(0, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

function cannotListen(error: unknown, setting: string, port: number | undefined): Error {
  const code = errorCode(error) ?? String(error)
  const reason: Record<string, string> = {
    EADDRINUSE: `The port ${port} is in use: stop what listens there, or choose another with ${setting}.`,
    EACCES: `This user may not listen on the port ${port}: choose one from 1024 on with ${setting}.`,
    EADDRNOTAVAIL: 'The address of NUQTA_HOST is not one of this machine.',
    ENOTFOUND: 'The name in NUQTA_HOST is not known.',
  }
  return new CliError(reason[code] ?? `The port ${port} cannot be listened on (${code}).`, { cause: error })
}
