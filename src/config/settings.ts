import { longest_timeout_s } from '../domain/delivery.ts'
import { standard_bounds as bounds } from '../domain/limit.ts'
import { max_operator_characters } from '../domain/operator.ts'
import * as type from './values.ts'

/** Every setting: config is read from these tables, and `docs/settings.md` is generated from them. */

/** Which processes read a setting: `serve` is the API and the worker, `everything` is the commands as well. */
type AppliesTo = 'everything' | 'serve' | 'api' | 'worker' | 'a sandbox' | 'a sandbox that sends no SMS'

export interface Setting<T> {
  readonly type: type.ValueType<T>
  /** Undefined where the value may be missing. */
  readonly default: T
  /** The default in production, where it differs. */
  readonly production_default?: T
  /** The default in words, where it depends on other settings or is no value. */
  readonly default_text?: string
  readonly example: string
  readonly applies_to: AppliesTo
  /** A secret may also be given as `NAME_FILE`, the path of a file that holds it. */
  readonly secret?: true
  /** The command-line flag that sets it. */
  readonly flag?: FlagName
  readonly description: string
}

export type FlagName = 'data_dir' | 'environment' | 'port' | 'host' | 'role'

/** A setting that always has a value. */
function setting<T>(value: type.ValueType<T>, row: Omit<Setting<NoInfer<T>>, 'type'>): Setting<T> {
  return { type: value, ...row }
}

/** A setting that may be missing. */
function optional<T>(
  value: type.ValueType<T>,
  row: Omit<Setting<undefined>, 'type' | 'default' | 'production_default'>,
): Setting<T | undefined> {
  return { type: value, default: undefined, ...row }
}

const whole = { whole: true } as const
const per_hour = type.number({ min: 1, max: 1_000_000, ...whole }, 'per hour')
const per_day = type.number({ min: 1, max: 1_000_000, ...whole }, 'per day')
const per_minute = type.number({ min: 1, max: 1_000_000, ...whole }, 'per minute')
const days = type.number({ min: 1, max: 36_500, ...whole }, 'days')
const seconds = (min: number, max: number) => type.number({ min, max }, 's')
const web = type.url(['https:', 'http:'])
const webBase = type.baseUrl(['https:', 'http:'])
const pem = type.text('path of a PEM file, or its text')

const log_levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

// biome-ignore format: one setting is one paragraph
const deployment = {
  NUQTA_ENVIRONMENT: setting(type.choice(['sandbox', 'production']), {
    default: 'sandbox', example: 'production', applies_to: 'everything', flag: 'environment',
    description: 'Written into the database at the first start; later starts in another environment fail.' }),
  NUQTA_ROLE: setting(type.choice(['all', 'api', 'worker']), {
    default: 'all', example: 'worker', applies_to: 'serve', flag: 'role',
    description: 'Whether this process serves the API, does the background work, or both.' }),
  NUQTA_DATA_DIR: setting(type.text('path'), {
    default: './data', example: '/var/lib/nuqta', applies_to: 'everything', flag: 'data_dir',
    description: 'Holds the embedded database, the local certificate authority, the secret key and `sandbox.env`.' }),
  NUQTA_LOG_LEVEL: setting(type.choice(log_levels), {
    default: 'info', example: 'warn', applies_to: 'serve',
    description: 'The least severe log entries that are written.' }),
  NUQTA_YOUNG_GENERATION_MB: setting(type.number({ min: 1, max: 128, ...whole }, 'MB'), {
    default: 16, example: '4', applies_to: 'everything',
    description: 'How much memory new objects take before they are collected: less memory for more processor time. Below 16, older ' +
      'objects are collected earlier too. Read from the environment alone, by the command that starts the process; `4` is for machines ' +
      'with little memory.' }),
  NUQTA_OPERATOR_NAME: optional(type.line(max_operator_characters), {
    example: 'Points Company', applies_to: 'api',
    description: 'Who runs the deployment; its pages name them where their program names nobody else.' }),
  NUQTA_OPERATOR_CONTACT: optional(type.line(max_operator_characters), {
    example: 'help@points.example.com', applies_to: 'api',
    description: 'How to reach them: an e-mail address, a phone number or an https link becomes a link.' }),
  NUQTA_METRICS_PORT: optional(type.port, {
    default_text: 'off', example: '9464', applies_to: 'serve',
    description: 'Serves `/metrics`, `/healthz` and `/readyz` in plain HTTP; it must differ from `NUQTA_PORT`.' }),
  NUQTA_METRICS_HOST: setting(type.host, {
    default: '127.0.0.1', example: '10.0.0.5', applies_to: 'serve',
    description: 'The address that `NUQTA_METRICS_PORT` is opened on.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(web, {
    default_text: 'off', example: 'http://127.0.0.1:4318', applies_to: 'serve',
    description: 'Sends spans of requests, transactions and deliveries to this OpenTelemetry collector (`docs/metrics.md`).' }),
}

// biome-ignore format: one setting is one paragraph
const database = {
  DATABASE_URL: optional(type.postgresUrl, {
    default_text: 'embedded PostgreSQL', secret: true, applies_to: 'everything',
    example: 'postgresql://nuqta_service:password@db.example.com/nuqta',
    description: 'An external PostgreSQL 15 or later; `NUQTA_SECRET_KEY` is then required.' }),
  NUQTA_MIGRATION_URL: optional(type.postgresUrl, {
    default_text: '`DATABASE_URL`', secret: true, applies_to: 'everything',
    example: 'postgresql://nuqta_owner:password@db.example.com/nuqta',
    description: 'The same database as the owner of its tables, so that `DATABASE_URL` cannot alter the ledger.' }),
  NUQTA_SECRET_KEY: optional(type.text('at least 32 characters'), {
    default_text: '`secret.key` in the data directory; required with `DATABASE_URL`', secret: true,
    example: 'the output of `openssl rand -hex 32`', applies_to: 'everything',
    description: 'Encrypts stored secrets (`docs/secrets.md`).' }),
  NUQTA_SECRET_KEY_OLD: optional(type.text('at least 32 characters'), {
    secret: true, example: 'the former `NUQTA_SECRET_KEY`', applies_to: 'everything',
    description: 'The other key that still opens secrets while the secret key is changed (`docs/secrets.md`).' }),
}

// biome-ignore format: one setting is one paragraph
const listener = {
  NUQTA_HOST: optional(type.host, {
    default_text: '`127.0.0.1`; in production every address', example: '0.0.0.0', applies_to: 'api', flag: 'host',
    description: 'The address that the API listens on.' }),
  NUQTA_PORT: setting(type.port, {
    default: 8443, production_default: 443, example: '8443', applies_to: 'api', flag: 'port',
    description: 'The port that the API listens on, in HTTPS; 0 takes any free one.' }),
  NUQTA_PUBLIC_URL: optional(type.baseUrl(['https:']), {
    default_text: '`https://localhost:PORT`; required in production', example: 'https://points.example.com',
    applies_to: 'everything', description: 'What links and `checkout_url` begin with.' }),
  NUQTA_TLS_CERT: optional(pem, {
    default_text: 'local authority; required in production unless a proxy ends TLS', secret: true,
    example: '/etc/nuqta/tls.crt', applies_to: 'api',
    description: 'The certificate, with those between it and the root.' }),
  NUQTA_TLS_KEY: optional(pem, {
    default_text: 'local authority', secret: true, example: '/etc/nuqta/tls.key', applies_to: 'api',
    description: 'The private key of `NUQTA_TLS_CERT`, without a passphrase.' }),
  NUQTA_TRUST_PROXY: setting(type.addresses, {
    default: [], example: '10.0.0.7,10.0.1.0/24', applies_to: 'api',
    description: 'Proxies that end TLS: from them alone plain HTTP with `X-Forwarded-Proto: https` is accepted.' }),
  NUQTA_DRAIN_S: setting(seconds(0, 300), {
    default: 0, production_default: 5, example: '15', applies_to: 'serve',
    description: 'After SIGTERM, how long `/readyz` answers 503 while requests are still served.' }),
}

// biome-ignore format: one setting is one paragraph
const orders = {
  NUQTA_LOCK_WINDOW_S: setting(seconds(0, 86_400), {
    default: 10, example: '30', applies_to: 'api',
    description: 'A repeated `order_number` is answered 429 within this time.' }),
  NUQTA_CHECKOUT_TTL_S: setting(seconds(1, 604_800), {
    default: 1_800, example: '900', applies_to: 'api', description: 'How long a checkout can be completed.' }),
  NUQTA_CHECKOUTS_PER_HOUR: setting(type.number({ min: 1, max: 10_000_000, ...whole }, 'per hour'), {
    default: 600, example: '5000', applies_to: 'api',
    description: 'Checkouts that one address may open for one merchant without a signature or the private key.' }),
  NUQTA_CHECKOUT_RETENTION_DAYS: setting(days, {
    default: 30, example: '7', applies_to: 'worker',
    description: 'How long after its expiry a checkout that nobody confirmed is kept, with its `new` order.' }),
  NUQTA_CHECKOUT_STORE_MB: setting(type.number({ min: 1, max: 1_048_576, ...whole }, 'MiB'), {
    default: 1_024, example: '256', applies_to: 'worker',
    description: 'How much such checkouts of one merchant may take; above it the oldest are deleted sooner.' }),
  NUQTA_RECONCILE_GRACE_S: setting(seconds(0, 31_536_000), {
    default: 3_600, example: '7200', applies_to: 'everything',
    description: 'How long after its approval or capture a payment is compared with the provider\'s record.' }),
  NUQTA_RETENTION_DAYS: setting(days, {
    default: 400, example: '90', applies_to: 'worker',
    description: 'How long events, deliveries and text messages are kept: no shorter than a delivery is tried again.' }),
  NUQTA_REQUEST_LOG_DAYS: setting(type.number({ min: 0, max: 3_650, ...whole }, 'days'), {
    default: 30, example: '7', applies_to: 'serve',
    description: 'How long the requests of merchants are listed in their dashboard; 0 keeps none.' }),
}

// biome-ignore format: one setting is one paragraph
const webhooks = {
  NUQTA_WEBHOOK_RETRY_DELAYS_S: setting(type.numbers({ min: 1, max: 604_800, most: 3 }, 's'), {
    default: [10, 100, 1_000], example: '60,600,6000', applies_to: 'worker',
    description: 'The waits before attempts 2, 3 and 4, each give or take 20 %.' }),
  NUQTA_WEBHOOK_TIMEOUT_S: setting(type.number({ min: 0.1, max: longest_timeout_s }, 's'), {
    default: 10, example: '5', applies_to: 'worker', description: 'How long one attempt may take, as a whole.' }),
  NUQTA_WEBHOOK_POLL_MS: setting(type.number({ min: 10, max: 60_000, ...whole }, 'ms'), {
    default: 200, example: '1000', applies_to: 'worker',
    description: 'How often a worker looks for due deliveries; those of its own process it sends at once.' }),
  NUQTA_WEBHOOK_ALLOW_LOOPBACK: optional(type.boolean, {
    default_text: '`true` in a sandbox that listens on loopback only, else `false`', example: 'true',
    applies_to: 'a sandbox', description: 'Whether receivers may be on this machine.' }),
  NUQTA_WEBHOOK_CA: optional(pem, {
    example: '/etc/nuqta/receivers-ca.pem', applies_to: 'a sandbox',
    description: 'A further authority to trust for the certificates of receivers.' }),
  NUQTA_WEBHOOK_PROXY: optional(web, {
    secret: true, example: 'http://proxy.example.com:3128', applies_to: 'worker',
    description: 'The proxy that deliveries go out through.' }),
}

const sandbox_without_sms = 'a sandbox that sends no SMS'

// biome-ignore format: one setting is one paragraph
const messages = {
  NUQTA_SMS: setting(type.choice(['sandbox', 'taqnyat', 'unifonic']), {
    default: 'sandbox', default_text: '`sandbox`, which shows codes on the page; production needs another',
    example: 'unifonic', applies_to: 'serve', description: 'The provider of codes and invitations.' }),
  NUQTA_SMS_KEY: optional(type.key, {
    secret: true, example: 'the bearer token of Taqnyat, the AppSid of Unifonic', applies_to: 'serve',
    description: 'The account at the SMS provider.' }),
  NUQTA_SMS_SENDER: optional(type.text(), {
    example: 'Nuqta', applies_to: 'serve', description: 'The sender name that is registered with the SMS provider.' }),
  NUQTA_SMS_URL: optional(webBase, {
    default_text: 'the provider\'s own', example: 'https://sms.example.com', applies_to: 'serve',
    description: 'Replaces the address of the SMS provider; in production https, unless it is on loopback.' }),
  NUQTA_SMS_PER_HOUR: setting(per_hour, {
    default: bounds.messages_per_hour, example: '10000', applies_to: 'serve',
    description: 'Text messages of the whole deployment (`docs/messages.md`).' }),
  NUQTA_CODES_PER_PHONE_HOUR: setting(per_hour, {
    default: bounds.codes_per_phone_hour, example: '50', applies_to: sandbox_without_sms,
    description: 'Codes sent to one phone.' }),
  NUQTA_CODES_PER_PHONE_DAY: setting(per_day, {
    default: bounds.codes_per_phone_day, example: '50', applies_to: sandbox_without_sms,
    description: 'Codes sent to one phone.' }),
  NUQTA_TRIES_PER_PHONE_HOUR: setting(per_hour, {
    default: bounds.tries_per_phone_hour, example: '50', applies_to: sandbox_without_sms,
    description: 'Wrong codes entered for one phone.' }),
  NUQTA_TRIES_PER_PHONE_DAY: setting(per_day, {
    default: bounds.tries_per_phone_day, example: '50', applies_to: sandbox_without_sms,
    description: 'Wrong codes entered for one phone.' }),
  NUQTA_CODES_PER_ADDRESS_HOUR: setting(per_hour, {
    default: bounds.codes_per_address_hour, example: '5000', applies_to: sandbox_without_sms,
    description: 'Codes asked for from one IPv4 address or IPv6 /56.' }),
  NUQTA_CODES_PER_SITE_HOUR: setting(per_hour, {
    default: bounds.codes_per_site_hour, example: '5000', applies_to: sandbox_without_sms,
    description: 'Codes asked for from one IPv6 /48.' }),
  NUQTA_INVITATIONS_PER_MINUTE: setting(per_minute, {
    default: bounds.invitations_per_minute, example: '600', applies_to: sandbox_without_sms,
    description: 'Invitations of one merchant.' }),
  NUQTA_INVITATIONS_PER_HOUR: setting(per_hour, {
    default: bounds.invitations_per_hour, example: '6000', applies_to: sandbox_without_sms,
    description: 'Invitations of one merchant.' }),
}

// biome-ignore format: one setting is one paragraph
const mail = {
  NUQTA_SMTP_URL: optional(type.url(['smtps:', 'smtp:']), {
    default_text: 'none: a sandbox shows its mails, production shows links to whoever makes them', secret: true,
    example: 'smtps://user:password@mail.example.com:465', applies_to: 'api',
    description: 'The mail server of invitations and password resets of the dashboard. `smtp://` is for one with STARTTLS; `docs/staff.md` tells of others.' }),
  NUQTA_MAIL_FROM: optional(type.line(200), {
    example: 'Nuqta <no-reply@points.example.com>', applies_to: 'api',
    description: 'Whom those mails come from; required with `NUQTA_SMTP_URL`.' }),
}

// biome-ignore format: one setting is one paragraph
const providers = {
  NUQTA_PAYMENT_PAYTABS_PROFILE_ID: optional(type.text(), {
    example: '123456', applies_to: 'everything',
    description: 'The PayTabs profile of merchants without their own (`docs/payments.md`).' }),
  NUQTA_PAYMENT_PAYTABS_SERVER_KEY: optional(type.key, {
    secret: true, example: 'the server key of that profile', applies_to: 'everything',
    description: 'Required with `NUQTA_PAYMENT_PAYTABS_PROFILE_ID`.' }),
  NUQTA_PAYMENT_PAYTABS_URL: optional(webBase, {
    default_text: '`https://secure.paytabs.sa`', example: 'https://secure.paytabs.com', applies_to: 'everything',
    description: 'Replaces the address of PayTabs; in production https, unless it is on loopback.' }),
  NUQTA_PAYMENT_MOYASAR_SECRET_KEY: optional(type.key, {
    secret: true, example: 'the secret key of that account', applies_to: 'everything',
    description: 'The Moyasar account of merchants without their own (`docs/payments.md`).' }),
  NUQTA_PAYMENT_MOYASAR_WEBHOOK_SECRET: optional(type.text(), {
    secret: true, example: 'the secret token of the webhook at Moyasar', applies_to: 'everything',
    description: 'Required with `NUQTA_PAYMENT_MOYASAR_SECRET_KEY`.' }),
  NUQTA_PAYMENT_MOYASAR_URL: optional(webBase, {
    default_text: '`https://api.moyasar.com/v1`', example: 'https://moyasar.example.com/v1', applies_to: 'everything',
    description: 'Replaces the address of Moyasar; in production https, unless it is on loopback.' }),
  NUQTA_TRANSLATION: setting(type.choice(['none', 'libretranslate', 'google']), {
    default: 'none', example: 'libretranslate', applies_to: 'api',
    description: 'The translator of labels that a merchant gives in one language only; `none` copies them.' }),
  NUQTA_TRANSLATION_URL: optional(webBase, {
    example: 'https://translate.example.com', applies_to: 'api',
    description: 'The address of the translator, required for `libretranslate`; with a key, in production https, unless it is on loopback.' }),
  NUQTA_TRANSLATION_KEY: optional(type.key, {
    secret: true, example: 'the API key of the translator', applies_to: 'api',
    description: 'The account at the translator, required for `google`.' }),
}

/** The settings under the headings of `docs/settings.md`. */
export const settingGroups = {
  Deployment: deployment,
  'Database and secret key': database,
  'HTTPS listener': listener,
  'Orders and retention': orders,
  Webhooks: webhooks,
  'Text messages': messages,
  'E-mail of the dashboard': mail,
  'Payments and translation': providers,
}

const all = { ...deployment, ...database, ...listener, ...orders, ...webhooks, ...messages, ...mail, ...providers }

export type SettingName = keyof typeof all

type Values = { readonly [Name in SettingName]: (typeof all)[Name] extends Setting<infer T> ? T : never }

/** The type of a setting's value. */
export type SettingValue<Name extends SettingName> = Values[Name]

export const settings: { readonly [Name in SettingName]: Setting<Values[Name]> } = all

export const settingNames = Object.keys(all) as SettingName[]
