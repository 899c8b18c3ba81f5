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
  return new DatabaseSetupError(`The database of ${setting} cannot be used: ${reason}.`, { cause: error })
}

function reasonOf(error: unknown, setting: string): string {
  if (!(error instanceof Error)) return String(error)
  const { message } = error
  const about = (name: string): string => String(Reflect.get(error, name) ?? '')
  const code = errorCode(error) ?? ''
  if (unknownAuthority.test(code))
    return `the authority of its certificate is not known here; give the authority's certificate at the end of ${setting}, as ?sslmode=verify-full&sslrootcert=/path/to/authority.pem`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `its certificate is not for ${about('host')}; name the host in ${setting} as the certificate does`
  if (code === '28000' && /no encryption/.test(message)) return `${message}; end ${setting} with ?sslmode=verify-full`
  if (/does not support SSL/.test(message))
    return 'it has no TLS; turn it on there, or leave sslmode out where nobody else can listen in on the network'
  if (code === 'ENOTFOUND') return `there is no host ${about('hostname')}`
  if (code === 'ECONNREFUSED') return `nothing answers at ${about('address')}:${about('port')}`
  if (code === 'ENOENT' && about('syscall') === 'connect') return `there is no socket ${about('address')}`
  return message || code
}
