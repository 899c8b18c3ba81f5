import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Config, ConfigError, type ConfigSources, loadConfig } from '../../src/config/config.ts'
import { standard_bounds } from '../../src/domain/limit.ts'
import { production } from '../support/production.ts'
import { makeCertificate, mistakesOf } from '../support/settings.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nuqta config '))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Env = ConfigSources['env']

function load(env: Env = {}, rest: Partial<ConfigSources> = {}): Config {
  return loadConfig({ env, cwd: folder, ...rest })
}

function mistakes(env: Env, rest: Partial<ConfigSources> = {}): readonly string[] {
  return mistakesOf({ env, cwd: folder, ...rest })
}

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const external = { DATABASE_URL: 'postgresql://nuqta@localhost/nuqta', NUQTA_SECRET_KEY: 'k'.repeat(32) }

describe('defaults', () => {
  test('a sandbox listens on loopback only, and keeps its data beside the working directory', () => {
    expect(load()).toEqual({
      environment: 'sandbox',
      operator: { name: null, contact: null },
      role: 'all',
      data_dir: join(folder, 'data'),
      database_url: undefined,
      migration_url: undefined,
      secret_key: undefined,
      secret_key_old: undefined,
      host: '127.0.0.1',
      port: 8443,
      public_url: 'https://localhost:8443',
      metrics_port: undefined,
      metrics_host: '127.0.0.1',
      drain_s: 0,
      tls: undefined,
      trust_proxy: [],
      log_level: 'info',
      young_generation_mb: 16,
      lock_window_s: 10,
      checkout_ttl_s: 1800,
      message_bounds: standard_bounds,
      checkouts_per_hour: 600,
      checkout_retention_days: 30,
      checkout_store_bytes: 2 ** 30,
      webhook: {
        retry_delays_s: [10, 100, 1000],
        timeout_s: 10,
        allow_loopback: true,
        poll_ms: 200,
        ca: undefined,
        proxy: undefined,
      },
      reconcile_grace_s: 3600,
      retention_days: 400,
      request_log_days: 30,
      translation: { provider: 'none' },
      sms: { provider: 'sandbox' },
      payment: { paytabs: { url: undefined, account: undefined }, moyasar: { url: undefined, account: undefined } },
    })
  })

  test('production listens on 443 on every address and allows no receiver on loopback', () => {
    const config = load(production)
    expect(config.port).toBe(443)
    expect(['::', '0.0.0.0']).toContain(config.host)
    expect(config.drain_s).toBe(5)
    expect(config.webhook.allow_loopback).toBe(false)
  })

  test('a sandbox that others can reach allows no receivers on loopback unless set', () => {
    expect(load({ NUQTA_HOST: '0.0.0.0' }).webhook.allow_loopback).toBe(false)
    expect(load({ NUQTA_HOST: '0.0.0.0', NUQTA_WEBHOOK_ALLOW_LOOPBACK: 'true' }).webhook.allow_loopback).toBe(true)
    expect(load({ NUQTA_HOST: 'localhost' }).webhook.allow_loopback).toBe(true)
    expect(load({ NUQTA_HOST: '[::1]' })).toMatchObject({ host: '::1', webhook: { allow_loopback: true } })
  })

  test('migrations use the service role unless the owner is given', () => {
    expect(load(external).migration_url).toBe(external.DATABASE_URL)
    const owner = 'postgres://owner@localhost/nuqta'
    expect(load({ ...external, NUQTA_MIGRATION_URL: owner }).migration_url).toBe(owner)
  })

  test('the result is deeply frozen', () => {
    const config = load({ NUQTA_TRUST_PROXY: '10.0.0.1' })
    expect(Object.isFrozen(config)).toBe(true)
    expect(Object.isFrozen(config.webhook.retry_delays_s)).toBe(true)
    expect(Object.isFrozen(config.trust_proxy)).toBe(true)
  })
})

describe('precedence', () => {
  test('flags win over the environment, which wins over .env, which wins over defaults', () => {
    const cwd = mkdtempSync(join(folder, 'dotenv-'))
    writeFileSync(join(cwd, '.env'), 'NUQTA_PORT=1001\nNUQTA_HOST="127.0.0.2"\nNUQTA_LOCK_WINDOW_S=3 # short\n')
    const config = loadConfig({ env: { NUQTA_PORT: '1002', NUQTA_HOST: '127.0.0.3' }, flags: { port: '1003' }, cwd })
    expect(config).toMatchObject({ port: 1003, host: '127.0.0.3', lock_window_s: 3, checkout_ttl_s: 1800 })
  })

  test('a blank setting counts as not given', () => {
    expect(load({ NUQTA_PORT: ' ', NUQTA_SMS: '' })).toMatchObject({ port: 8443, sms: { provider: 'sandbox' } })
  })

  test('a mistake in .env is reported like any other', () => {
    const cwd = mkdtempSync(join(folder, 'dotenv-'))
    writeFileSync(join(cwd, '.env'), 'NUQTA_PROT=1\nNUQTA_PORT=x\n')
    expect(mistakes({}, { cwd })).toEqual([
      'NUQTA_PROT is not a setting; did you mean NUQTA_PORT?',
      'NUQTA_PORT must be a whole number from 0 to 65535, not x',
    ])
  })
})

describe('secrets from files', () => {
  test('NAME_FILE reads the text of the file without its last line break', () => {
    const path = file('url', `${external.DATABASE_URL}\n`)
    const config = load({ DATABASE_URL_FILE: path, NUQTA_SECRET_KEY_FILE: file('key', 's'.repeat(40)) })
    expect(config).toMatchObject({ database_url: external.DATABASE_URL, secret_key: 's'.repeat(40) })
  })

  test('a secret given twice, a missing file and an empty file are mistakes', () => {
    expect(mistakes({ NUQTA_SECRET_KEY: 'k'.repeat(32), NUQTA_SECRET_KEY_FILE: file('twice', 'x') })).toEqual([
      'NUQTA_SECRET_KEY is given twice: as NUQTA_SECRET_KEY and as NUQTA_SECRET_KEY_FILE',
    ])
    expect(mistakes({ NUQTA_SMS_KEY_FILE: 'nowhere', ...{ NUQTA_SMS: 'taqnyat', NUQTA_SMS_SENDER: 'N' } })[0]).toBe(
      'NUQTA_SMS_KEY_FILE names a file that cannot be read: nowhere (ENOENT)',
    )
    expect(mistakes({ NUQTA_SECRET_KEY_FILE: file('empty', '\n') })[0]).toMatch(/names an empty file/)
  })

  test('only secrets have a _FILE', () => {
    expect(mistakes({ NUQTA_PORT_FILE: '/x' })).toEqual(['NUQTA_PORT_FILE is not a setting; did you mean NUQTA_PORT?'])
  })
})

describe('mistakes', () => {
  test('all are listed at once, and the error message contains them all', () => {
    const found = mistakes({
      NUQTA_ENVIRONMENT: 'staging',
      NUQTA_PORT: '70000',
      NUQTA_HOST: 'not a host',
      NUQTA_PUBLIC_URL: 'http://example.com',
      NUQTA_TRUST_PROXY: '10.0.0.0/8, proxy.internal',
      NUQTA_LOG_LEVEL: 'loud',
      NUQTA_LOCK_WINDOW_S: '-1',
      NUQTA_WEBHOOK_RETRY_DELAYS_S: '1,2,3,4',
      NUQTA_RETENTION_DAYS: '1.5',
      NUQTA_TRANSLATION: 'google',
      NUQTA_COLOUR: 'blue',
    })
    expect(found).toEqual([
      expect.stringMatching(/^NUQTA_COLOUR is not a setting; did you mean NUQTA_[A-Z]+/),
      'NUQTA_ENVIRONMENT must be one of sandbox, production, not staging',
      'NUQTA_HOST must be an address or a host name to listen on, not not a host',
      'NUQTA_PORT must be a whole number from 0 to 65535, not 70000',
      'NUQTA_PUBLIC_URL must be a URL that begins with https://',
      'NUQTA_TRUST_PROXY must list IP addresses and ranges like 10.0.0.7 or 10.0.0.0/24; proxy.internal is neither',
      expect.stringMatching(/^NUQTA_LOG_LEVEL must be one of fatal, /),
      'NUQTA_LOCK_WINDOW_S must be a number from 0 to 86400, not -1',
      'NUQTA_WEBHOOK_RETRY_DELAYS_S must be up to 3 numbers from 1 to 604800, separated by commas, not 1,2,3,4',
      'NUQTA_RETENTION_DAYS must be a whole number from 1 to 36500, not 1.5',
      'NUQTA_TRANSLATION_KEY is required when NUQTA_TRANSLATION is google',
    ])
    expect(new ConfigError(found).message).toContain('11 mistakes')
  })

  const table: [what: string, env: Env, mistake: RegExp][] = [
    ['a misspelt name', { NUQTA_WEBHOOK_TIMEOUT: '5' }, /did you mean NUQTA_WEBHOOK_TIMEOUT_S/],
    ['an unusable connection string', { ...external, DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must be a connection/],
    ['an external database without a key', { DATABASE_URL: external.DATABASE_URL }, /^NUQTA_SECRET_KEY is required/],
    ['a former key alone', { NUQTA_SECRET_KEY_OLD: 'k'.repeat(32) }, /^NUQTA_SECRET_KEY_OLD is the former key/],
    [
      'one key twice',
      { NUQTA_SECRET_KEY: 'k'.repeat(32), NUQTA_SECRET_KEY_OLD: 'k'.repeat(32) },
      /^NUQTA_SECRET_KEY_OLD is the same/,
    ],
    ['no room for checkouts', { NUQTA_CHECKOUT_STORE_MB: '0' }, /^NUQTA_CHECKOUT_STORE_MB must be a whole number/],
    ['a short key', { NUQTA_SECRET_KEY: 'short' }, /^NUQTA_SECRET_KEY must be at least 32/],
    [
      'an owner without a database',
      { NUQTA_MIGRATION_URL: 'postgres://o@h/d' },
      /^NUQTA_MIGRATION_URL names the owner/,
    ],
    ['trust in everybody', { NUQTA_TRUST_PROXY: '0.0.0.0/0' }, /must not trust every address/],
    ['one port for two', { NUQTA_METRICS_PORT: '8443' }, /^NUQTA_METRICS_PORT must differ/],
    ['production without SMS', { ...production, NUQTA_SMS: undefined }, /^NUQTA_SMS is required in production/],
    [
      'production without a URL',
      { ...production, NUQTA_PUBLIC_URL: ' ' },
      /^NUQTA_PUBLIC_URL is required in production/,
    ],
    ['SMS shown in production', { ...production, NUQTA_SMS: 'sandbox' }, /^NUQTA_SMS is required in production/],
    ['SMS without a sender', { NUQTA_SMS: 'unifonic', NUQTA_SMS_KEY: 'x' }, /^NUQTA_SMS_SENDER is required when/],
    ['half of a provider', { NUQTA_PAYMENT_PAYTABS_PROFILE_ID: '1' }, /^NUQTA_PAYMENT_PAYTABS_SERVER_KEY is required/],
    ['loopback in production', { ...production, NUQTA_WEBHOOK_ALLOW_LOOPBACK: 'true' }, /is for a sandbox/],
    ['a translator without address', { NUQTA_TRANSLATION: 'libretranslate' }, /^NUQTA_TRANSLATION_URL is required/],
    ['a base URL with a query', { NUQTA_PUBLIC_URL: 'https://a.example/?x=1' }, /without user, query and fragment/],
    ['a certificate alone', { NUQTA_TLS_CERT: 'missing.pem' }, /^NUQTA_TLS_CERT names a file that cannot be read/],
    ['a key that is none', { NUQTA_TLS_KEY: 'package.json' }, /^NUQTA_TLS_KEY names a file/],
  ]
  test.each(table)('%s', (_, env, mistake) => {
    const found = mistakes(env)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(mistake)
  })

  test('no message shows a secret', () => {
    const text = mistakes({ DATABASE_URL: 'mysql://u:hunter2@h/d', NUQTA_SECRET_KEY: 'hunter2' }).join()
    expect(text).not.toContain('hunter2')
  })

  test('the four names that sandbox.env exports for clients are ignored', () => {
    const env = { NUQTA_BASE_URL: 'x', NUQTA_PUBLIC_KEY: 'x', NUQTA_PRIVATE_KEY: 'x', NUQTA_CA: 'x' }
    expect(mistakes(env)).toEqual([])
  })

  test('a command needs fewer settings than a running service', () => {
    const env = { NUQTA_ENVIRONMENT: 'production', DATABASE_URL: external.DATABASE_URL }
    expect(mistakes(env, { purpose: 'command' })).toEqual([])
    expect(mistakes(env)).toHaveLength(4)
  })

  test('an unreadable file is one mistake: its content is not reported as missing too', () => {
    const files = { DATABASE_URL_FILE: 'no-url', NUQTA_SECRET_KEY_FILE: 'no-key', NUQTA_TLS_CERT_FILE: 'no-cert' }
    const sms = { NUQTA_SMS_KEY: undefined, NUQTA_SMS_KEY_FILE: 'no-sms', NUQTA_TRUST_PROXY: undefined }
    expect([...mistakes({ ...production, ...files, ...sms })].sort()).toEqual([
      'DATABASE_URL_FILE names a file that cannot be read: no-url (ENOENT)',
      'NUQTA_SECRET_KEY_FILE names a file that cannot be read: no-key (ENOENT)',
      'NUQTA_SMS_KEY_FILE names a file that cannot be read: no-sms (ENOENT)',
      'NUQTA_TLS_CERT_FILE names a file that cannot be read: no-cert (ENOENT)',
    ])
  })
})

describe('production with nothing set', () => {
  test('lists all missing settings at once', () => {
    expect(mistakes({ NUQTA_ENVIRONMENT: 'production' })).toEqual([
      'NUQTA_PUBLIC_URL is required in production: links begin with it, like https://points.example.com',
      'NUQTA_TLS_CERT is required in production, with NUQTA_TLS_KEY: nobody else trusts the local authority. ' +
        'Behind a proxy that ends TLS, set NUQTA_TRUST_PROXY to its addresses instead',
      'NUQTA_SMS is required in production: taqnyat or unifonic',
    ])
  })

  const { NUQTA_TRUST_PROXY: _, ...direct } = production
  const tls: [what: string, env: Env, refused: boolean][] = [
    ['the local authority for everybody', {}, true],
    ['a service on loopback with a public URL elsewhere', { NUQTA_HOST: '127.0.0.1' }, true],
    ['a loopback URL of a service for everybody', { NUQTA_PUBLIC_URL: 'https://localhost' }, true],
    ['loopback for both', { NUQTA_HOST: '127.0.0.1', NUQTA_PUBLIC_URL: 'https://localhost:443' }, false],
    ['loopback for both, in IPv6', { NUQTA_HOST: '::1', NUQTA_PUBLIC_URL: 'https://[::1]' }, false],
    ['a name below localhost', { NUQTA_HOST: 'localhost', NUQTA_PUBLIC_URL: 'https://nuqta.localhost' }, false],
    ['a worker, which serves nobody', { NUQTA_ROLE: 'worker' }, false],
    ['a proxy that ends TLS', { NUQTA_TRUST_PROXY: '10.0.0.7' }, false],
  ]
  test.each(tls)('%s', (__, env, refused) => {
    const found = mistakes({ ...direct, ...env })
    expect(found.map((mistake) => mistake.split(' ')[0])).toEqual(refused ? ['NUQTA_TLS_CERT'] : [])
  })
})

describe('certificates', () => {
  test('a pair is read from files, or given as text', () => {
    const { cert, key } = makeCertificate(folder, 'own')
    const texts = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
    expect(load({ NUQTA_TLS_CERT: cert, NUQTA_TLS_KEY: 'own.key' }).tls).toEqual(texts)
    expect(load({ NUQTA_TLS_CERT: cert, NUQTA_TLS_KEY_FILE: key }).tls?.cert).toBe(texts.cert)
    expect(load({ NUQTA_WEBHOOK_CA: cert }).webhook.ca).toBe(texts.cert)
  })

  test('one of a pair, a pair that does not match and nonsense are mistakes', () => {
    const { cert, key } = makeCertificate(folder, 'one')
    const other = makeCertificate(folder, 'other')
    expect(mistakes({ NUQTA_TLS_CERT: cert })).toEqual(['NUQTA_TLS_KEY is missing: certificate and key come together'])
    expect(mistakes({ NUQTA_TLS_CERT: cert, NUQTA_TLS_KEY: other.key })).toEqual([
      'NUQTA_TLS_KEY is not the key of the certificate in NUQTA_TLS_CERT',
    ])
    expect(mistakes({ NUQTA_TLS_CERT: key, NUQTA_TLS_KEY: cert })).toEqual([
      'NUQTA_TLS_CERT holds no certificate in PEM',
      'NUQTA_TLS_KEY holds no private key in PEM without a passphrase',
    ])
    expect(mistakes({ ...production, NUQTA_WEBHOOK_CA: cert })[0]).toMatch(/^NUQTA_WEBHOOK_CA is for a sandbox/)
  })
})

describe('numbers of messages', () => {
  const ofSandbox = {
    NUQTA_CODES_PER_PHONE_HOUR: '50',
    NUQTA_CODES_PER_PHONE_DAY: '60',
    NUQTA_TRIES_PER_PHONE_HOUR: '70',
    NUQTA_TRIES_PER_PHONE_DAY: '80',
    NUQTA_CODES_PER_ADDRESS_HOUR: '5000',
    NUQTA_CODES_PER_SITE_HOUR: '6000',
    NUQTA_INVITATIONS_PER_MINUTE: '7',
    NUQTA_INVITATIONS_PER_HOUR: '8',
  }

  test('a sandbox that sends none may set any limit', () => {
    expect(load({ ...ofSandbox, NUQTA_SMS_PER_HOUR: '900' }).message_bounds).toEqual({
      messages_per_hour: 900,
      codes_per_phone_hour: 50,
      codes_per_phone_day: 60,
      tries_per_phone_hour: 70,
      tries_per_phone_day: 80,
      codes_per_address_hour: 5_000,
      codes_per_site_hour: 6_000,
      invitations_per_minute: 7,
      invitations_per_hour: 8,
    })
    expect(mistakes({ NUQTA_SMS_PER_HOUR: '0' })).toEqual([
      'NUQTA_SMS_PER_HOUR must be a whole number from 1 to 1000000, not 0',
    ])
  })

  test.each([
    ['in production', { ...external, ...production }],
    ['where messages are sent', { NUQTA_SMS: 'taqnyat', NUQTA_SMS_KEY: 'token', NUQTA_SMS_SENDER: 'Nuqta' }],
  ])('%s only the budget can be set', (_, env) => {
    const place = { ...env, NUQTA_PUBLIC_URL: 'https://points.example', NUQTA_TRUST_PROXY: '10.0.0.7' }
    expect(load({ ...place, NUQTA_SMS_PER_HOUR: '900' }).message_bounds).toEqual({
      ...standard_bounds,
      messages_per_hour: 900,
    })
    const found = mistakes({ ...place, ...ofSandbox })
    expect(found).toHaveLength(8)
    for (const name of Object.keys(ofSandbox))
      expect(found).toContainEqual(
        expect.stringMatching(new RegExp(`^${name} is for a sandbox that sends no messages`)),
      )
  })
})
