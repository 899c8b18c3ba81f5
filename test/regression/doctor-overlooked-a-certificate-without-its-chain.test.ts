import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { checkCertificate } from '../../src/doctor/machine.ts'
import { production } from '../support/production.ts'
import { makeCertificate } from '../support/settings.ts'

// What went wrong: with cert.pem of certbot in the place of fullchain.pem, `nuqta doctor` was content. Browsers fetch the
// certificate that is missing, so the operator saw nothing, and the shops' servers refused every connection.

const folder = mkdtempSync(join(tmpdir(), 'nuqta chain '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const host = 'points.example.com'
const san = ['-addext', `subjectAltName=DNS:${host}`]
const signed = ['-addext', 'authorityInfoAccess=caIssuers;URI:http://authority.example/sub.der']

function examine(cert: string, key: string, more: Readonly<Record<string, string | undefined>> = {}) {
  const env = { ...production, NUQTA_TRUST_PROXY: undefined, NUQTA_TLS_CERT: cert, NUQTA_TLS_KEY: key, ...more }
  return checkCertificate(loadConfig({ env, cwd: folder }))
}

test('a certificate that names its authority comes with the certificate of that authority', async () => {
  const { cert, key } = makeCertificate(folder, 'leaf', { host, more: [...san, ...signed] })
  expect(await examine(cert, key)).toMatchObject({ ok: false, advice: expect.stringContaining('fullchain.pem') })
  expect(await examine(cert, key, { NUQTA_TRUST_PROXY: '10.0.0.7' })).toMatchObject({ ok: true })
  const full = join(folder, 'fullchain.pem')
  const authority = makeCertificate(folder, 'authority')
  writeFileSync(full, readFileSync(cert, 'utf8') + readFileSync(authority.cert, 'utf8'))
  expect(await examine(full, key)).toMatchObject({ ok: true })
})

test('one of an authority of its own may be alone', async () => {
  const { cert, key } = makeCertificate(folder, 'own', { host, more: san })
  expect(await examine(cert, key)).toMatchObject({ ok: true })
})
