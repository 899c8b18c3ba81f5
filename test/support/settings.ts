import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { ConfigError, type ConfigSources, loadConfig } from '../../src/config/config.ts'

/** The mistakes that are found in settings; none if they can be used. */
export function mistakesOf(sources: ConfigSources): readonly string[] {
  try {
    loadConfig(sources)
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
  return []
}

/** The arguments of OpenSSL for a key as short as one may be. */
export const shortKey = ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'] as const

/** Makes a key, and a certificate that it has signed itself. Gives the paths of both. */
export function makeCertificate(
  folder: string,
  name: string,
  { host = 'localhost', newkey = shortKey, more = [] }: CertificateOptions = {},
): { readonly cert: string; readonly key: string } {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  const made = ['req', '-x509', '-nodes', '-subj', `/CN=${host}`, '-days', '90', '-newkey', ...newkey, ...more]
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'pipe' })
  return { cert, key }
}

interface CertificateOptions {
  readonly host?: string
  readonly newkey?: readonly string[]
  /** Further arguments of `openssl req`. */
  readonly more?: readonly string[]
}
