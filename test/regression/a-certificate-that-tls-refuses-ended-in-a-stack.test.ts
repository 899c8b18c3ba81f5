import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { checkCertificate } from '../../src/doctor/machine.ts'
import { production } from '../support/production.ts'
import { makeCertificate, mistakesOf, shortKey } from '../support/settings.ts'

// TLS refuses a key of 1024 bits, and a damaged certificate behind the first. The settings took both, so that the start ended
// in a stack after it had made the database. `nuqta doctor` found nothing wrong, and took the name in the subject of a
// certificate for its host, which no browser does.

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nuqta tls '))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const host = 'points.example.com'

function certify(newkey: readonly string[], more: readonly string[] = []) {
  const { cert, key } = makeCertificate(folder, 'tls', { host, newkey, more })
  return { NUQTA_TLS_CERT: readFileSync(cert, 'utf8'), NUQTA_TLS_KEY: readFileSync(key, 'utf8') }
}

const settings = (tls: Readonly<Record<string, string>>) => ({
  env: { ...production, NUQTA_TRUST_PROXY: undefined, NUQTA_PUBLIC_URL: `https://${host}`, ...tls },
  cwd: folder,
})

test('a key that is too short is a mistake of the settings', () => {
  expect(mistakesOf(settings(certify(['rsa:1024'])))).toEqual([
    'NUQTA_TLS_CERT cannot be used for TLS: ee key too small',
  ])
})

test('so is a damaged certificate behind the first', () => {
  const { NUQTA_TLS_CERT, NUQTA_TLS_KEY } = certify(shortKey)
  const damaged = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
  expect(mistakesOf(settings({ NUQTA_TLS_CERT: NUQTA_TLS_CERT + damaged, NUQTA_TLS_KEY }))).toEqual([
    expect.stringMatching(/^NUQTA_TLS_CERT cannot be used for TLS: ./),
  ])
})

test.each([
  ['its subject alone', [], false],
  ['its names', ['-addext', `subjectAltName=DNS:${host}`], true],
])('a certificate that has the host in %s', async (_, extra, ok) => {
  expect(await checkCertificate(loadConfig(settings(certify(shortKey, extra))))).toMatchObject({ ok })
})
