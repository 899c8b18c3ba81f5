import { errorCode, firstError } from '../lib/errors.ts'
import { DatabaseSetupError } from './failure.ts'

/** Codes of Node.js for a certificate whose authority it does not know. */
const unknownAuthority =
  /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|(DEPTH_ZERO_)?SELF_SIGNED_CERT(_IN_CHAIN)?)$/

/**
 * Says why a database cannot be used, and what to do about it where that is known.
 * @param setting the setting with its connection string
 * @param error what the driver threw
 */
export function unreachable(setting: string, error: unknown): DatabaseSetupError {
  const reason = reasonOf(firstError(error), setting)
  return new DatabaseSetupError(
    `The database of ${setting} cannot be used: ${reason}${reason.endsWith('?') ? '' : '.'}`,
    { cause: error },
  )
}

function reasonOf(error: unknown, setting: string): string {
  if (!(error instanceof Error)) return String(error)
  const { message } = error
  const code = errorCode(error) ?? ''
  const about = (name: string): string => String(Reflect.get(error, name) ?? '')
  if (unknownAuthority.test(code))
    return `the authority of its certificate is not known here; give the authority's certificate at the end of ${setting}, as ?sslmode=verify-full&sslrootcert=/path/to/authority.pem`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `its certificate is not for ${about('host')}; name the host in ${setting} as the certificate does`
  if (code === 'ENOTFOUND') return `there is no host ${about('hostname')}`
  if (code === 'ECONNREFUSED') return `nothing answers at ${about('address')}:${about('port')}`
  if (code === 'ENOENT' && about('syscall') === 'connect') return `there is no socket ${about('address')}`
  const advice = adviceOn(code, message, setting)
  if (advice !== undefined) return `${message}; ${advice}`
  return ofDriver.find(({ said }) => said.test(message))?.means(setting) ?? (message || code)
}

/** What to do about a refusal by PostgreSQL that says itself what is wrong. */
function adviceOn(code: string, message: string, setting: string): string | undefined {
  if (code === '28000' && /no pg_hba\.conf entry/.test(message))
    return /no encryption/.test(message) && !message.includes('"[local]"')
      ? `end ${setting} with ?sslmode=verify-full`
      : 'let the pg_hba.conf of the server admit it'
  if (code === '28P01') return `correct the password in ${setting}`
  if (code === '3D000') return `correct its name in ${setting}, or make it with deploy/postgres/roles.sql`
  if (code === '42501') return 'let the owner of the database grant the role CONNECT on it'
  if (code === '53300') return 'end what else uses it, or let it have more'
  return undefined
}

const noTls = 'it has no TLS; turn it on there, or leave sslmode out where nobody else can listen in on the network'

/** What the driver says in words that only its authors understand, or that leave open what to do. */
const ofDriver: readonly { readonly said: RegExp; readonly means: (setting: string) => string }[] = [
  { said: /does not support SSL/, means: () => noTls },
  {
    said: /client password must be/,
    means: (setting) =>
      `it asks for a password, and ${setting} has none; write it there, as postgresql://role:password@host/nuqta`,
  },
  {
    said: /due to connection timeout|timeout expired|timeout exceeded/,
    means: () => 'it does not answer; is it overloaded, or does a firewall stand between?',
  },
  {
    said: /terminated unexpectedly/,
    means: (setting) => `what answers there ends the connection; does ${setting} lead to a PostgreSQL?`,
  },
]
