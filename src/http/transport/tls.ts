import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { type CertifiedKey, leaf_days, makeAuthority, makeLeaf, permits } from './certificates.ts'

export interface LocalAuthority extends CertifiedKey {
  /** The certificate of the authority, PEM. */
  readonly ca: string
  /** The authority's certificate, for clients to trust (`NUQTA_CA`). */
  readonly caPath: string
}

const day_ms = 86_400_000
const renew_before_days = 30

/**
 * Gives a server's certificate for this machine and `hosts`, made by an authority of its own in `tlsDir`. Both are made
 * at the first start. The server's is made again when it is near its end or the hosts changed; the authority, which
 * clients have come to trust, only when it is near its own end or may not certify one of the hosts.
 */
export async function ensureLocalAuthority(
  tlsDir: string,
  hosts: readonly string[],
  now: Date = new Date(),
): Promise<LocalAuthority> {
  await mkdir(tlsDir, { recursive: true, mode: 0o700 })
  const names = [...new Set(['localhost', '127.0.0.1', '::1', ...hosts.map(bareHost)])]
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

/** As in a URL: `[::1]` is `::1`. */
function bareHost(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
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
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** The key first, so that a certificate never stands beside a key that is not its own without being noticed. */
async function writePair(files: PairFiles, pair: CertifiedKey): Promise<void> {
  await replaceFile(files.key, pair.key, 0o600)
  await replaceFile(files.cert, pair.cert, 0o644)
}

async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const fresh = `${path}.${process.pid}.new`
  const file = await open(fresh, 'w', mode)
  try {
    await file.chmod(mode)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(fresh, path)
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

/** Null when the text is not a certificate, or the key is not its own: both are then made again. */
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
