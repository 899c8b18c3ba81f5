import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { after, before, day_ms, hour_ms } from '../../domain/spans.ts'
import { counted } from '../../lib/counted.ts'

/** Makes certificates with EC P-256 keys, and reads how long one is valid. */

/** A certificate and its private key, as PEM texts. */
export interface CertifiedKey {
  readonly cert: string
  readonly key: string
}

const skew_ms = hour_ms

/** Browsers refuse server certificates with a longer life. */
export const leaf_days = 397
const authority_days = 3650

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const nameConstraints = '2.5.29.30'

/** Loaded only to make a certificate, once a year: the package is large and extends a global object. */
async function loadX509() {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

/** Makes an authority that can certify only `hosts`, so that trusting it risks nothing else (RFC 5280 4.2.1.10). */
export async function makeAuthority(hosts: readonly string[], now: Date): Promise<CertifiedKey> {
  const x509 = await loadX509()
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const subtrees = hosts.map((host) => tagged(0x30, constrainedName(host)))
  const constraints = tagged(0x30, tagged(0xa0, Buffer.concat(subtrees)))
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `O=Nuqta, CN=Nuqta local authority ${utcDayOf(now.getTime())}`,
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

/** Whether an authority, given as DER, may certify a host. */
export function permits(authority_der: Buffer, host: string): boolean {
  return authority_der.includes(tagged(0x30, constrainedName(host)))
}

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: before(now, skew_ms), notAfter: after(now, days * day_ms) }
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

/** How early the operator is warned: time enough for a holiday and a slow authority. */
const soon_days = 21

/** How long a certificate is valid, together with the rest of its chain. */
export interface CertificateLife {
  /** Whole days; negative when it has expired. */
  readonly days_left: number
  /** `2027-01-31`. */
  readonly ends_on: string
  /** Its first day, when that is yet to come. */
  readonly begins_on: string | undefined
}

/** Takes the PEM text of a certificate or a chain. The certificate that ends first counts. */
export function lifeOf(pem: string, now: Date): CertificateLife {
  const texts = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [pem]
  const chain = texts.map((text) => new X509Certificate(text))
  const end_ms = Math.min(...chain.map(({ validToDate }) => validToDate.getTime()))
  const begin_ms = Math.max(...chain.map(({ validFromDate }) => validFromDate.getTime()))
  return {
    days_left: Math.floor((end_ms - now.getTime()) / day_ms),
    ends_on: utcDayOf(end_ms),
    begins_on: begin_ms > now.getTime() ? utcDayOf(begin_ms) : undefined,
  }
}

/** The SHA-256 of a certificate, without those between it and the root. */
export function digestOf(pem: string): string {
  return new X509Certificate(pem).fingerprint256
}

/** What is wrong with a certificate now or soon; undefined when nothing is. */
export function describeLife({ days_left, ends_on, begins_on }: CertificateLife): string | undefined {
  if (begins_on !== undefined) return `is not valid before ${begins_on}`
  if (days_left < 0) return `expired on ${ends_on}`
  return days_left < soon_days ? `expires on ${ends_on}, in ${counted(days_left, 'day')}` : undefined
}

/** Certificates count in UTC, and business in Riyadh. */
function utcDayOf(at_ms: number): string {
  return new Date(at_ms).toISOString().slice(0, 10)
}
