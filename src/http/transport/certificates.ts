import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Makes the certificates of the local authority: EC P-256 throughout. */

export interface CertifiedKey {
  /** PEM texts. */
  readonly cert: string
  readonly key: string
}

const day_ms = 86_400_000
const skew_ms = 3_600_000

/** Browsers refuse longer lives for a server's certificate. */
export const leaf_days = 397
const authority_days = 3650

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const nameConstraints = '2.5.29.30'

/** Loaded only when a certificate is made, which is once a year: it is large, and extends a global object. */
async function loadX509() {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

/** Makes an authority that can certify `hosts` and nothing else, whoever comes to trust it (RFC 5280 4.2.1.10). */
export async function makeAuthority(hosts: readonly string[], now: Date): Promise<CertifiedKey> {
  const x509 = await loadX509()
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const subtrees = hosts.map((host) => tagged(0x30, constrainedName(host)))
  const constraints = tagged(0x30, tagged(0xa0, Buffer.concat(subtrees)))
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `O=Nuqta, CN=Nuqta local authority ${now.toISOString().slice(0, 10)}`,
    keys,
    signingAlgorithm: algorithm,
    ...validity(now, authority_days),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      new x509.Extension(nameConstraints, true, constraints),
    ],
  })
  return { cert: pem(certificate.toString('pem')), key: await exportKey(keys.privateKey) }
}

/** Makes a server's certificate for `hosts`, signed by the authority. */
export async function makeLeaf(authority: CertifiedKey, hosts: readonly string[], now: Date): Promise<CertifiedKey> {
  const x509 = await loadX509()
  const issuer = new x509.X509Certificate(authority.cert)
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const names = hosts.map((host) => ({ type: isIP(host) === 0 ? 'dns' : 'ip', value: host }) as const)
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `O=Nuqta, CN=${hosts.find((host) => isIP(host) === 0) ?? 'localhost'}`,
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    signingAlgorithm: algorithm,
    ...validity(now, leaf_days),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { cert: pem(certificate.toString('pem')), key: await exportKey(keys.privateKey) }
}

/** Whether the DER of an authority permits a host by name. */
export function permits(authority_der: Buffer, host: string): boolean {
  return authority_der.includes(tagged(0x30, constrainedName(host)))
}

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - skew_ms), notAfter: new Date(now.getTime() + days * day_ms) }
}

/** DER of a dNSName, or of an iPAddress followed by the mask of that one address. */
function constrainedName(host: string): Buffer {
  if (isIP(host) === 0) return tagged(0x82, Buffer.from(host, 'ascii'))
  const address = Buffer.from(ipaddr.parse(host).toByteArray())
  return tagged(0x87, Buffer.concat([address, Buffer.alloc(address.length, 0xff)]))
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

async function exportKey(key: CryptoKey): Promise<string> {
  const base64 = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64')
  const lines = base64.match(/.{1,64}/g) ?? []
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`
}

function importKey(key: string): Promise<CryptoKey> {
  const der = Buffer.from(key.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')
  return crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
}

function pem(text: string): string {
  return `${text.trim()}\n`
}
