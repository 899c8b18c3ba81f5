/** Every setting by its name (settings-and-commands, "Settings"). */

/** Settings that hold a secret: each may also be given as `NAME_FILE`, the path of a file that holds it. */
const secrets = [
  'DATABASE_URL',
  'NUQTA_MIGRATION_URL',
  'NUQTA_SECRET_KEY',
  'NUQTA_SECRET_KEY_OLD',
  'NUQTA_TLS_CERT',
  'NUQTA_TLS_KEY',
  'NUQTA_WEBHOOK_PROXY',
  'NUQTA_TRANSLATION_KEY',
  'NUQTA_SMS_KEY',
  'NUQTA_PAYMENT_PAYTABS_SERVER_KEY',
  'NUQTA_PAYMENT_MOYASAR_SECRET_KEY',
  'NUQTA_PAYMENT_MOYASAR_WEBHOOK_SECRET',
] as const

const plain = [
  'NUQTA_DATA_DIR',
  'NUQTA_ENVIRONMENT',
  'NUQTA_PORT',
  'NUQTA_HOST',
  'NUQTA_ROLE',
  'NUQTA_PUBLIC_URL',
  'NUQTA_TRUST_PROXY',
  'NUQTA_METRICS_PORT',
  'NUQTA_METRICS_HOST',
  'NUQTA_DRAIN_S',
  'NUQTA_LOG_LEVEL',
  'NUQTA_LOCK_WINDOW_S',
  'NUQTA_CHECKOUT_TTL_S',
  'NUQTA_CHECKOUTS_PER_HOUR',
  'NUQTA_CHECKOUT_RETENTION_DAYS',
  'NUQTA_CHECKOUT_STORE_MB',
  'NUQTA_WEBHOOK_RETRY_DELAYS_S',
  'NUQTA_WEBHOOK_TIMEOUT_S',
  'NUQTA_WEBHOOK_ALLOW_LOOPBACK',
  'NUQTA_WEBHOOK_POLL_MS',
  'NUQTA_WEBHOOK_CA',
  'NUQTA_RECONCILE_GRACE_S',
  'NUQTA_RETENTION_DAYS',
  'NUQTA_TRANSLATION',
  'NUQTA_TRANSLATION_URL',
  'NUQTA_SMS',
  'NUQTA_SMS_SENDER',
  'NUQTA_SMS_URL',
  'NUQTA_SMS_PER_HOUR',
  'NUQTA_CODES_PER_PHONE_HOUR',
  'NUQTA_CODES_PER_PHONE_DAY',
  'NUQTA_TRIES_PER_PHONE_HOUR',
  'NUQTA_TRIES_PER_PHONE_DAY',
  'NUQTA_CODES_PER_ADDRESS_HOUR',
  'NUQTA_CODES_PER_SITE_HOUR',
  'NUQTA_INVITATIONS_PER_MINUTE',
  'NUQTA_INVITATIONS_PER_HOUR',
  'NUQTA_PAYMENT_PAYTABS_PROFILE_ID',
  'NUQTA_PAYMENT_PAYTABS_URL',
  'NUQTA_PAYMENT_MOYASAR_URL',
] as const

/** What `sandbox.env` exports for clients, and the switch of the test suite: known, and not ours to read. */
const ignored = ['NUQTA_BASE_URL', 'NUQTA_PUBLIC_KEY', 'NUQTA_PRIVATE_KEY', 'NUQTA_CA', 'NUQTA_TEST_LONG']

export type SecretName = (typeof secrets)[number]
export type SettingName = SecretName | (typeof plain)[number]

const accepted = [...secrets, ...secrets.map((name) => `${name}_FILE`), ...plain]

/** True when `NAME_FILE` is understood beside `NAME`. */
export function isSecretName(name: SettingName): name is SecretName {
  return secrets.some((secret) => secret === name)
}

/** The `NUQTA_*` names among `names` that mean nothing to us, each with the known name nearest to it. */
export function unknownNames(names: readonly string[]): { name: string; nearest: string }[] {
  return names
    .filter((name) => name.startsWith('NUQTA_') && !accepted.includes(name) && !ignored.includes(name))
    .map((name) => ({ name, nearest: nearest(name) }))
}

function nearest(name: string): string {
  const ranked = accepted.map((known) => ({ known, distance: editDistance(name, known) }))
  return ranked.reduce((best, one) => (one.distance < best.distance ? one : best)).known
}

/** Letters to add, drop or change on the way from one text to the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (const [column, other] of [...to].entries()) {
      const changed = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
