import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { errorCode } from '../lib/errors.ts'
import type { SettingName } from './settings.ts'
import type { Sources } from './sources.ts'
import { isLoopback } from './values.ts'

/** Certificate and key as PEM texts; `undefined` for the local authority. */
export interface Tls {
  readonly cert: string
  readonly key: string
}

/** Reads certificate and key: both or none, in PEM, and belonging together. */
export function readTls(sources: Sources): Tls | undefined {
  const cert = readPem(sources, 'NUQTA_TLS_CERT')
  const key = readPem(sources, 'NUQTA_TLS_KEY')
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) {
    const missing = cert === undefined ? 'NUQTA_TLS_CERT' : 'NUQTA_TLS_KEY'
    if (sources.isGiven(missing)) return undefined
    return sources.mistake(missing, 'is missing: certificate and key come together')
  }
  const certificate = parseCertificate(sources, 'NUQTA_TLS_CERT', cert)
  const privateKey = parseKey(sources, key)
  if (certificate === undefined || privateKey === undefined) return undefined
  if (!certificate.checkPrivateKey(privateKey))
    return sources.mistake('NUQTA_TLS_KEY', 'is not the key of the certificate in NUQTA_TLS_CERT')
  const refused = whyRefused({ cert, key })
  return refused === undefined ? { cert, key } : sources.mistake('NUQTA_TLS_CERT', `cannot be used for TLS: ${refused}`)
}

/** Why TLS does not take a certificate: its key is too short, or one of those between it and the root is damaged. */
function whyRefused(tls: Tls): string | undefined {
  try {
    createSecureContext(tls)
    return undefined
  } catch (error) {
    const reason = error instanceof Error && 'reason' in error ? error.reason : undefined
    return typeof reason === 'string' ? reason : (errorCode(error) ?? 'it cannot be read')
  }
}

/** Reads further authorities to trust: one or more PEM certificates. */
export function readAuthority(sources: Sources, name: SettingName): string | undefined {
  const pem = readPem(sources, name)
  return pem === undefined || parseCertificate(sources, name, pem) === undefined ? undefined : pem
}

/** Where a process listens. */
interface ListeningPlace {
  readonly role: string
  readonly host: string
  readonly public_url: string
}

/**
 * Whether production needs a certificate, or a proxy with one, when it has neither: shops and browsers do not trust the
 * local authority. That authority is enough where only this machine can connect.
 */
export function needsCertificate({ role, host, public_url }: ListeningPlace): boolean {
  return role !== 'worker' && !(isLoopback(host) && isLoopback(new URL(public_url).hostname))
}

/** Notes what production is missing: a public URL, and a certificate that shops and browsers trust. */
export function checkProductionListener(sources: Sources, place: ListeningPlace): void {
  if (!sources.isGiven('NUQTA_PUBLIC_URL'))
    sources.mistake(
      'NUQTA_PUBLIC_URL',
      'is required in production: links begin with it, like https://points.example.com',
    )
  const tls = ['NUQTA_TLS_CERT', 'NUQTA_TLS_KEY', 'NUQTA_TRUST_PROXY'] as const
  if (tls.some((name) => sources.isGiven(name)) || !needsCertificate(place)) return
  sources.mistake(
    'NUQTA_TLS_CERT',
    'is required in production, with NUQTA_TLS_KEY: nobody else trusts the local authority. ' +
      'Behind a proxy that ends TLS, set NUQTA_TRUST_PROXY to its addresses instead',
  )
}

/** The setting is the path of a PEM file, or the PEM text itself, which `openssl pkcs12` begins with lines of its own. */
function readPem(sources: Sources, name: SettingName): string | undefined {
  const text = sources.text(name)
  return text === undefined || text.includes('-----BEGIN ') ? text : sources.readFile(name, text)
}

function parseCertificate(sources: Sources, name: SettingName, pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return sources.mistake(name, 'holds no certificate in PEM')
  }
}

function parseKey(sources: Sources, pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    return sources.mistake('NUQTA_TLS_KEY', 'holds no private key in PEM without a passphrase')
  }
}
