import { longestSeries_ms } from '../domain/delivery.ts'
import type { MessageBounds } from '../domain/limit.ts'
import type { Operator } from '../domain/operator.ts'
import { day_ms } from '../domain/spans.ts'
import { mebibyte } from '../lib/sizes.ts'
import {
  type MailSettings,
  type PaymentSettings,
  readMail,
  readMessageBounds,
  readPayment,
  readSms,
  readTranslation,
  type SmsSettings,
  type TranslationSettings,
} from './providers.ts'
import type { SettingValue } from './settings.ts'
import { type Flags, Sources } from './sources.ts'
import { checkProductionListener, readAuthority, readTls, type Tls } from './tls.ts'
import { everyAddress, isLoopback } from './values.ts'

export type Environment = SettingValue<'NUQTA_ENVIRONMENT'>
export type Role = SettingValue<'NUQTA_ROLE'>

/** The validated, frozen configuration of a process. `docs/settings.md` explains each setting. */
export interface Config {
  readonly environment: Environment
  readonly role: Role
  /** Absolute path. */
  readonly data_dir: string
  /** `undefined` means the embedded PostgreSQL in `data_dir`. */
  readonly database_url: string | undefined
  /** Connects as the owner of the tables; equals `database_url` unless set. */
  readonly migration_url: string | undefined
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** The beginning of links, without a trailing slash. */
  readonly public_url: string
  /** PEM texts, or `undefined` for the local authority. */
  readonly tls: Tls | undefined
  /** Addresses and CIDR ranges of TLS-terminating proxies; empty means none. */
  readonly trust_proxy: readonly string[]
  /** Who runs the deployment. */
  readonly operator: Operator
  readonly metrics_port: number | undefined
  readonly metrics_host: string
  /** The OpenTelemetry collector that gets spans. */
  readonly otlp_endpoint: string | undefined
  /** After SIGTERM, how long `/readyz` is 503 while requests are still served. */
  readonly drain_s: number
  readonly log_level: SettingValue<'NUQTA_LOG_LEVEL'>
  readonly young_generation_mb: number
  /** Encrypts stored secrets; `undefined` means the key in the data directory of an embedded database. */
  readonly secret_key: string | undefined
  /** The other key that still opens secrets while the secret key is changed. */
  readonly secret_key_old: string | undefined
  readonly lock_window_s: number
  readonly checkout_ttl_s: number
  /** How long after its expiry a checkout that nobody confirmed is kept. */
  readonly checkout_retention_days: number
  /** How much such checkouts of one merchant may take; above it the oldest are deleted sooner. */
  readonly checkout_store_bytes: number
  /** Opened from one address for one merchant, without a signature or the private key. */
  readonly checkouts_per_hour: number
  readonly webhook: WebhookSettings
  readonly reconcile_grace_s: number
  readonly retention_days: number
  /** How long the request log is kept; 0 for none. */
  readonly request_log_days: number
  readonly translation: TranslationSettings
  readonly sms: SmsSettings
  readonly mail: MailSettings | undefined
  readonly message_bounds: MessageBounds
  readonly payment: PaymentSettings
}

export interface WebhookSettings {
  /** The waits before the second attempt and those after it. */
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
  /** A command does not need all that a running service needs, such as an SMS provider and the secret key. */
  readonly purpose?: 'serve' | 'command'
}

/** Lists everything that is wrong with the settings, one sentence each. */
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
  const environment = sources.read('NUQTA_ENVIRONMENT')
  const production = environment === 'production'
  const role = sources.read('NUQTA_ROLE')
  const listener = readListener(sources)
  if (production && serving) checkProductionListener(sources, { role, ...listener })
  const sms = readSms(sources, production && serving)
  const config: Config = {
    environment,
    role,
    data_dir: sources.path(sources.read('NUQTA_DATA_DIR')),
    ...readDatabase(sources, serving),
    ...listener,
    tls: readTls(sources),
    trust_proxy: sources.read('NUQTA_TRUST_PROXY'),
    operator: {
      name: sources.read('NUQTA_OPERATOR_NAME') ?? null,
      contact: sources.read('NUQTA_OPERATOR_CONTACT') ?? null,
    },
    log_level: sources.read('NUQTA_LOG_LEVEL'),
    young_generation_mb: sources.read('NUQTA_YOUNG_GENERATION_MB'),
    drain_s: sources.read('NUQTA_DRAIN_S'),
    otlp_endpoint: sources.read('OTEL_EXPORTER_OTLP_ENDPOINT'),
    lock_window_s: sources.read('NUQTA_LOCK_WINDOW_S'),
    checkout_ttl_s: sources.read('NUQTA_CHECKOUT_TTL_S'),
    checkout_store_bytes: sources.read('NUQTA_CHECKOUT_STORE_MB') * mebibyte,
    checkouts_per_hour: sources.read('NUQTA_CHECKOUTS_PER_HOUR'),
    checkout_retention_days: sources.read('NUQTA_CHECKOUT_RETENTION_DAYS'),
    ...readEvents(sources, listener.host, serving),
    reconcile_grace_s: sources.read('NUQTA_RECONCILE_GRACE_S'),
    request_log_days: sources.read('NUQTA_REQUEST_LOG_DAYS'),
    translation: readTranslation(sources),
    sms,
    mail: readMail(sources),
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
  const database_url = sources.read('DATABASE_URL')
  const migration_url = sources.read('NUQTA_MIGRATION_URL')
  const secret_key = sources.read('NUQTA_SECRET_KEY')
  if (migration_url !== undefined && !sources.isGiven('DATABASE_URL'))
    sources.mistake('NUQTA_MIGRATION_URL', 'names the owner of an external database: set DATABASE_URL as well')
  if (serving && sources.isGiven('DATABASE_URL') && !sources.isGiven('NUQTA_SECRET_KEY'))
    sources.mistake(
      'NUQTA_SECRET_KEY',
      'is required with DATABASE_URL: it encrypts stored secrets. Make one with `openssl rand -hex 32` and keep it',
    )
  if (secret_key !== undefined && secret_key.length < 32)
    sources.mistake('NUQTA_SECRET_KEY', 'must be at least 32 characters; make one with `openssl rand -hex 32`')
  const secret_key_old = sources.read('NUQTA_SECRET_KEY_OLD')
  if (secret_key_old !== undefined && secret_key === undefined)
    sources.mistake('NUQTA_SECRET_KEY_OLD', 'is the former key: set NUQTA_SECRET_KEY to the new one as well')
  if (secret_key_old !== undefined && secret_key_old === secret_key)
    sources.mistake('NUQTA_SECRET_KEY_OLD', 'is the same as NUQTA_SECRET_KEY: remove it, or set the former key')
  return { database_url, migration_url: migration_url ?? database_url, secret_key, secret_key_old }
}

function readListener(
  sources: Sources,
): Pick<Config, 'host' | 'port' | 'public_url' | 'metrics_port' | 'metrics_host'> {
  const host = sources.read('NUQTA_HOST') ?? (sources.production ? everyAddress() : '127.0.0.1')
  const port = sources.read('NUQTA_PORT')
  const metrics_port = sources.read('NUQTA_METRICS_PORT')
  if (metrics_port !== undefined && metrics_port !== 0 && metrics_port === port)
    sources.mistake('NUQTA_METRICS_PORT', `must differ from the port of the API (${port})`)
  const public_url = sources.read('NUQTA_PUBLIC_URL') ?? localUrl(port)
  const metrics_host = sources.read('NUQTA_METRICS_HOST')
  return { host, port, public_url, metrics_port, metrics_host }
}

/** The URL of the service on this machine, and the default of `NUQTA_PUBLIC_URL`. */
export function localUrl(port: number): string {
  return port === 443 ? 'https://localhost' : `https://localhost:${port}`
}

function readWebhook(sources: Sources, host: string): WebhookSettings {
  const { production } = sources
  const allow_loopback = sources.read('NUQTA_WEBHOOK_ALLOW_LOOPBACK') ?? (!production && isLoopback(host))
  const ca = readAuthority(sources, 'NUQTA_WEBHOOK_CA')
  if (production && allow_loopback)
    sources.mistake('NUQTA_WEBHOOK_ALLOW_LOOPBACK', 'is for a sandbox: in production no receiver is on loopback')
  if (production && ca !== undefined)
    sources.mistake('NUQTA_WEBHOOK_CA', 'is for a sandbox: in production receivers have public certificates')
  return {
    retry_delays_s: sources.read('NUQTA_WEBHOOK_RETRY_DELAYS_S'),
    timeout_s: sources.read('NUQTA_WEBHOOK_TIMEOUT_S'),
    allow_loopback,
    poll_ms: sources.read('NUQTA_WEBHOOK_POLL_MS'),
    ca,
    proxy: sources.read('NUQTA_WEBHOOK_PROXY'),
  }
}

/** An event has to be there for as long as it is sent. */
function readEvents(sources: Sources, host: string, serving: boolean): Pick<Config, 'webhook' | 'retention_days'> {
  const webhook = readWebhook(sources, host)
  const retention_days = sources.read('NUQTA_RETENTION_DAYS')
  const sent_days = Math.ceil(longestSeries_ms(webhook) / day_ms)
  if (serving && retention_days < sent_days)
    sources.mistake(
      'NUQTA_RETENTION_DAYS',
      `must be at least ${sent_days}: with these NUQTA_WEBHOOK_RETRY_DELAYS_S a delivery is tried for so many days`,
    )
  return { webhook, retention_days }
}

function deepFreeze<T extends object>(whole: T): T {
  for (const part of Object.values(whole)) if (typeof part === 'object' && part !== null) deepFreeze(part)
  return Object.freeze(whole)
}
