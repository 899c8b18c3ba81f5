import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { DataDirectory } from '../../config/data-directory.ts'
import { day_ms } from '../../domain/spans.ts'
import { errorCode } from '../../lib/errors.ts'
import { makeFolder } from '../../lib/folder.ts'
import { bareHost } from '../../lib/host.ts'
import { giveFolderToOwner, replaceOwnedFile } from '../../lib/owned-file.ts'
import { startWorkerLoop } from '../../lib/worker-loop.ts'
import type { Log } from '../../observability/log.ts'
import { type CertifiedKey, describeLife, leaf_days, lifeOf, makeAuthority, makeLeaf, permits } from './certificates.ts'

export interface ServerCertificate extends CertifiedKey {
  /**
   * The file of the local authority's certificate, for clients to trust; undefined with the operator's own certificate.
   */
  readonly caPath: string | undefined
}

/** Gives the operator's certificate, or one of the local authority, which is made or renewed when necessary. */
export async function findCertificate(
  { tls, host, public_url }: Pick<Config, 'tls' | 'host' | 'public_url'>,
  dir: DataDirectory,
  now: Date = new Date(),
): Promise<ServerCertificate> {
  if (tls !== undefined) return { ...tls, caPath: undefined }
  const anyAddress = ['::', '0.0.0.0']
  const hosts = [host, new URL(public_url).hostname].filter((name) => !anyAddress.includes(name))
  return ensureLocalAuthority(dir.tls, hosts, now)
}

export interface CertificateWatch {
  readonly current: ServerCertificate
  /** Finds the certificate again: the local authority renews it in time. */
  readonly find: () => Promise<ServerCertificate>
  readonly renew: (certificate: ServerCertificate) => void
  readonly log: Log
  readonly now?: () => Date
}

/** At once and every day: warns of a certificate that has expired or soon will, and switches to a renewed one. */
export function watchCertificate({ find, renew, log, now = () => new Date(), ...watch }: CertificateWatch): {
  /** The certificate in use. */
  readonly current: () => ServerCertificate
  readonly check: () => Promise<void>
  readonly stop: () => Promise<void>
} {
  let { current } = watch

  function warn(): void {
    const trouble = describeLife(lifeOf(current.cert, now()))
    if (trouble !== undefined) log.warn(`the certificate ${trouble}: renew it, then restart the service`)
  }

  async function check(): Promise<void> {
    try {
      const found = await find()
      if (found.cert !== current.cert) {
        current = found
        renew(found)
        log.info('the certificate of the local authority was renewed')
      }
    } catch (error) {
      log.warn({ err: error }, 'the certificate could not be renewed; the next try is tomorrow')
    }
    warn()
  }

  warn()
  const stop = startWorkerLoop({ work: check, pause_ms: day_ms, first_pause_ms: day_ms, stop_patience_ms: 0 })
  return { current: () => current, check, stop }
}

export interface LocalAuthority extends CertifiedKey {
  /** The certificate of the authority, PEM. */
  readonly ca: string
  /** The authority's certificate, for clients to trust (`NUQTA_CA`). */
  readonly caPath: string
}

const renew_before_days = 30

/**
 * Gives a server certificate for this machine and `hosts`, signed by a local authority. `tlsDir` keeps both. The server
 * certificate is made again when it is near its end or the hosts change. The authority, which clients trust, is made
 * again only when it is near its own end or may not certify one of the hosts.
 */
export async function ensureLocalAuthority(
  tlsDir: string,
  hosts: readonly string[],
  now: Date = new Date(),
): Promise<LocalAuthority> {
  await makeFolder(tlsDir, 0o700)
  await giveFolderToOwner(tlsDir)
  const names = [...new Set(['localhost', '127.0.0.1', '::1', ...hosts.map(certifiable)])]
  const authorityFiles = filesOf(tlsDir, 'ca')
  const leafFiles = filesOf(tlsDir, 'server')

  let authority = await readPair(authorityFiles)
  if (authority === null || !canCertify(authority, names, now)) {
    authority = await makeAuthority(names, now)
    await writePair(authorityFiles, authority)
  }
  let leaf = await readPair(leafFiles)
  if (leaf === null || !isGoodLeaf(leaf, authority, names, now)) {
    leaf = await makeLeaf(authority, names, now)
    await writePair(leafFiles, leaf)
  }
  return { ...leaf, ca: authority.cert, caPath: authorityFiles.cert }
}

/** @throws Error for a host that a certificate cannot name */
function certifiable(host: string): string {
  const bare = bareHost(host).toLowerCase()
  if (isIP(bare) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(bare)) {
    throw new Error(`${host} is not a host that a certificate can name`)
  }
  return bare
}

interface PairFiles {
  readonly cert: string
  readonly key: string
}

function filesOf(tlsDir: string, name: string): PairFiles {
  return { cert: join(tlsDir, `${name}.pem`), key: join(tlsDir, `${name}.key`) }
}

/** Null when one of the files is missing. */
async function readPair(files: PairFiles): Promise<CertifiedKey | null> {
  try {
    const [cert, key] = await Promise.all([readFile(files.cert, 'utf8'), readFile(files.key, 'utf8')])
    return { cert, key }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Writes the key first: if the certificate is not replaced too, `parse` notices that they do not match. */
async function writePair(files: PairFiles, pair: CertifiedKey): Promise<void> {
  await replaceOwnedFile(files.key, pair.key, 0o600)
  await replaceOwnedFile(files.cert, pair.cert, 0o644)
}

function canCertify(pair: CertifiedKey, names: readonly string[], now: Date): boolean {
  const certificate = parse(pair)
  if (certificate === null || !certificate.ca || daysLeft(certificate, now) < leaf_days) return false
  return names.every((name) => permits(certificate.raw, name))
}

function isGoodLeaf(pair: CertifiedKey, authority: CertifiedKey, names: readonly string[], now: Date): boolean {
  const certificate = parse(pair)
  if (certificate === null || daysLeft(certificate, now) < renew_before_days) return false
  const named = (certificate.subjectAltName ?? '').split(', ').length
  const covers = names.every((name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)))
  return covers && named === names.length && certificate.verify(new X509Certificate(authority.cert).publicKey)
}

/** Null when the text is no certificate or the key does not match it, so that both are made again. */
function parse({ cert, key }: CertifiedKey): X509Certificate | null {
  try {
    const certificate = new X509Certificate(cert)
    return certificate.checkPrivateKey(createPrivateKey(key)) ? certificate : null
  } catch {
    return null
  }
}

function daysLeft(certificate: X509Certificate, now: Date): number {
  return (certificate.validToDate.getTime() - now.getTime()) / day_ms
}
