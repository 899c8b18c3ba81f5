import type { MessageBounds } from '../domain/limit.ts'
import { type CheckoutSettings, readCheckout } from './checkout.ts'
import { readMessageBounds } from './messages.ts'
import { checkProduction } from './production.ts'
import {
  type PaymentSettings,
  readPayment,
  readSms,
  readTranslation,
  type SmsSettings,
  type TranslationSettings,
} from './providers.ts'
import { type Flags, Sources } from './sources.ts'
import { readAuthority, readTls, type Tls } from './tls.ts'
import * as value from './values.ts'

/** The one validated, frozen configuration of a process (settings-and-commands, "Settings"). */

export type Environment = 'sandbox' | 'production'
export type Role = 'all' | 'api' | 'worker'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export interface Config extends CheckoutSettings {
  readonly environment: Environment
  readonly role: Role
  /** Absolute path. */
  readonly data_dir: string
  /** `undefined` means the embedded PostgreSQL in `data_dir`. */
  readonly database_url: string | undefined
  /** The owner's role; equals `database_url` unless set. */
  readonly migration_url: string | undefined
  readonly host: string
  /** 0 takes any port that is free. */
  readonly port: number
  /** Without a trailing slash; what links begin with. */
  readonly public_url: string
  /** PEM texts, or `undefined` for the local authority. */
  readonly tls: Tls | undefined
  /** Addresses and CIDR ranges of TLS-terminating proxies; empty means none. */
  readonly trust_proxy: readonly string[]
  readonly metrics_port: number | undefined
  readonly metrics_host: string
  /** After SIGTERM, how long `/readyz` is 503 while requests are still served. */
  readonly drain_s: number
  readonly log_level: (typeof logLevels)[number]
  /** Encrypts stored secrets; `undefined` means the one in the data directory of an embedded database. */
  readonly secret_key: string | undefined
  /** The other key whose work is still good, while the secret key is being changed. */
  readonly secret_key_old: string | undefined
  readonly lock_window_s: number
  readonly checkout_ttl_s: number
  readonly webhook: WebhookSettings
  readonly reconcile_grace_s: number
  readonly retention_days: number
  readonly translation: TranslationSettings
  readonly sms: SmsSettings
  readonly message_bounds: MessageBounds
  readonly payment: PaymentSettings
}

export interface WebhookSettings {
  /** Waits before the second attempt and those after it. */
  readonly retry_delays_s: readonly number[]
  readonly timeout_s: number
  readonly allow_loopback: boolean
  readonly poll_ms: number
  /** PEM text of a further authority to trust. */
  readonly ca: string | undefined
  readonly proxy: string | undefined
}

export interface ConfigSources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly flags?: Flags
  readonly cwd: string
  /** What only a running service needs (an SMS provider, the secret key) is not asked of a command. */
  readonly purpose?: 'serve' | 'command'
}

/** Everything that is wrong with the settings, one sentence each. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(
      `The settings have ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n  ${mistakes.join('\n  ')}`,
    )
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

/**
 * Reads the configuration from flags, environment, `.env` of the working directory and defaults, in this order.
 * @throws ConfigError that lists every mistake at once
 */
export function loadConfig({ env, flags = {}, cwd, purpose = 'serve' }: ConfigSources): Config {
  const sources = new Sources(env, flags, cwd)
  const serving = purpose === 'serve'
  const environment = value.choice(sources, 'NUQTA_ENVIRONMENT', ['sandbox', 'production'], 'sandbox')
  const production = environment === 'production'
  const role = value.choice(sources, 'NUQTA_ROLE', ['all', 'api', 'worker'], 'all')
  const listener = readListener(sources, production)
  if (production && serving) checkProduction(sources, { role, ...listener })
  const sms = readSms(sources, production && serving)
  const config: Config = {
    environment,
    role,
    data_dir: sources.path(sources.text('NUQTA_DATA_DIR') ?? 'data'),
    ...readDatabase(sources, serving),
    ...listener,
    tls: readTls(sources),
    trust_proxy: value.addresses(sources, 'NUQTA_TRUST_PROXY'),
    log_level: value.choice(sources, 'NUQTA_LOG_LEVEL', logLevels, 'info'),
    drain_s: value.number(sources, 'NUQTA_DRAIN_S', production ? 5 : 0, { min: 0, max: 300 }),
    lock_window_s: value.number(sources, 'NUQTA_LOCK_WINDOW_S', 10, { min: 0, max: 86_400 }),
    checkout_ttl_s: value.number(sources, 'NUQTA_CHECKOUT_TTL_S', 1_800, { min: 1, max: 604_800 }),
    ...readCheckout(sources),
    webhook: readWebhook(sources, { production, loopbackOnly: value.isLoopback(listener.host) }),
    reconcile_grace_s: value.number(sources, 'NUQTA_RECONCILE_GRACE_S', 3_600, { min: 0, max: 31_536_000 }),
    retention_days: value.number(sources, 'NUQTA_RETENTION_DAYS', 400, { min: 1, max: 36_500, whole: true }),
    translation: readTranslation(sources),
    sms,
    message_bounds: readMessageBounds(sources, { shows_codes: !production && sms.provider === 'sandbox' }),
    payment: readPayment(sources),
  }
  if (sources.mistakes.length > 0) throw new ConfigError(sources.mistakes)
  return deepFreeze(config)
}

function readDatabase(
  sources: Sources,
  serving: boolean,
): Pick<Config, 'database_url' | 'migration_url' | 'secret_key' | 'secret_key_old'> {
  const database_url = value.postgresUrl(sources, 'DATABASE_URL')
  const migration_url = value.postgresUrl(sources, 'NUQTA_MIGRATION_URL')
  const secret_key = sources.text('NUQTA_SECRET_KEY')
  if (migration_url !== undefined && !sources.isGiven('DATABASE_URL'))
    sources.mistake('NUQTA_MIGRATION_URL', 'names the owner of an external database: set DATABASE_URL as well')
  if (serving && sources.isGiven('DATABASE_URL') && !sources.isGiven('NUQTA_SECRET_KEY'))
    sources.mistake(
      'NUQTA_SECRET_KEY',
      'is required with DATABASE_URL: it encrypts stored secrets. Make one with `openssl rand -hex 32` and keep it',
    )
  if (secret_key !== undefined && secret_key.length < 32)
    sources.mistake('NUQTA_SECRET_KEY', 'must be at least 32 characters; make one with `openssl rand -hex 32`')
  const secret_key_old = sources.text('NUQTA_SECRET_KEY_OLD')
  if (secret_key_old !== undefined && secret_key === undefined)
    sources.mistake('NUQTA_SECRET_KEY_OLD', 'is the former key: set NUQTA_SECRET_KEY to the new one as well')
  if (secret_key_old !== undefined && secret_key_old === secret_key)
    sources.mistake('NUQTA_SECRET_KEY_OLD', 'is the same as NUQTA_SECRET_KEY: remove it, or set the former key')
  return { database_url, migration_url: migration_url ?? database_url, secret_key, secret_key_old }
}

function readListener(
  sources: Sources,
  production: boolean,
): Pick<Config, 'host' | 'port' | 'public_url' | 'metrics_port' | 'metrics_host'> {
  const host = value.host(sources, 'NUQTA_HOST', production ? value.everyAddress() : '127.0.0.1')
  const port = value.port(sources, 'NUQTA_PORT', production ? 443 : 8443)
  const metrics = sources.text('NUQTA_METRICS_PORT')
  const metrics_port = metrics === undefined ? undefined : value.port(sources, 'NUQTA_METRICS_PORT', 0)
  if (metrics_port !== undefined && metrics_port !== 0 && metrics_port === port)
    sources.mistake('NUQTA_METRICS_PORT', `must differ from the port of the API (${port})`)
  const public_url = value.baseUrl(sources, 'NUQTA_PUBLIC_URL') ?? localUrl(port)
  const metrics_host = value.host(sources, 'NUQTA_METRICS_HOST', '127.0.0.1')
  return { host, port, public_url, metrics_port, metrics_host }
}

/** How this machine itself reaches the service: what `NUQTA_PUBLIC_URL` defaults to. */
export function localUrl(port: number): string {
  return port === 443 ? 'https://localhost' : `https://localhost:${port}`
}

function readWebhook(
  sources: Sources,
  where: { readonly production: boolean; readonly loopbackOnly: boolean },
): WebhookSettings {
  const allow_loopback = value.yesOrNo(sources, 'NUQTA_WEBHOOK_ALLOW_LOOPBACK', !where.production && where.loopbackOnly)
  const ca = readAuthority(sources, 'NUQTA_WEBHOOK_CA')
  if (where.production && allow_loopback)
    sources.mistake('NUQTA_WEBHOOK_ALLOW_LOOPBACK', 'is for a sandbox: in production no receiver is on loopback')
  if (where.production && ca !== undefined)
    sources.mistake('NUQTA_WEBHOOK_CA', 'is for a sandbox: in production receivers have public certificates')
  return {
    retry_delays_s: value.numbers(sources, 'NUQTA_WEBHOOK_RETRY_DELAYS_S', [10, 100, 1_000], {
      min: 1,
      max: 604_800,
      most: 3,
    }),
    timeout_s: value.number(sources, 'NUQTA_WEBHOOK_TIMEOUT_S', 10, { min: 0.1, max: 300 }),
    allow_loopback,
    poll_ms: value.number(sources, 'NUQTA_WEBHOOK_POLL_MS', 200, { min: 10, max: 60_000, whole: true }),
    ca,
    proxy: value.url(sources, 'NUQTA_WEBHOOK_PROXY', ['http:', 'https:']),
  }
}

function deepFreeze<T extends object>(whole: T): T {
  for (const part of Object.values(whole)) if (typeof part === 'object' && part !== null) deepFreeze(part)
  return Object.freeze(whole)
}
