import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { beforeAll, expect, test } from 'vitest'
import { writeProcess } from '../../src/features/deployment/process-queries.ts'
import { claimDeployment } from '../../src/features/deployment/service.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { nuqta, scratch } from '../cli/command.ts'
import { testDatabase } from '../support/database.ts'
import { secret_key } from '../support/secret-key.ts'
import { makeCertificate } from '../support/settings.ts'

// What went wrong: after a renewal without a restart `nuqta doctor` looked at the new file and was content, up to the day on which
// the certificate ended that the service still had. Later it did so when both ended on the same day, as they do when a certificate
// is issued anew because its key has leaked.

const database = testDatabase()
const { path: cwd } = scratch()
const process_uuid = newUuid()

beforeAll(() => claimDeployment(database.db, 'sandbox'))

test('a running service has to have the certificate of its file', async () => {
  const { cert, key } = makeCertificate(cwd, 'renewed', { more: ['-addext', 'subjectAltName=DNS:localhost'] })
  const finding = async (certificate_ends_on: string, certificate_sha256?: string) => {
    const now = new Date()
    const name = { process_uuid, role: 'api', version: '0.1.0', host: hostname(), pid: 1, started_at: now } as const
    const facts = {
      node: '26.0.0',
      jobs: [],
      checks: null,
      certificate_ends_on,
      ...(certificate_sha256 && { certificate_sha256 }),
    }
    await database.db.run(writeProcess(name, facts, now))
    const tls = { NUQTA_TLS_CERT: cert, NUQTA_TLS_KEY: key }
    const env = { DATABASE_URL: database.url, NUQTA_SECRET_KEY: secret_key, ...tls }
    return (await nuqta(['doctor', '--json'], { cwd, env })).json.find(({ check }) => check === 'certificate')
  }
  expect(await finding('2026-01-31')).toEqual({
    check: 'certificate',
    ok: false,
    detail: 'the running service still has one that ends on 2026-01-31',
    advice: 'Restart the service.',
  })
  const { validToDate, fingerprint256 } = new X509Certificate(readFileSync(cert))
  const end = validToDate.toISOString().slice(0, 10)
  expect(await finding(end)).toMatchObject({ ok: true })
  expect(await finding(end, fingerprint256)).toMatchObject({ ok: true })
  expect(await finding(end, fingerprint256.replaceAll(/\w/g, '0'))).toMatchObject({
    ok: false,
    detail: `the running service still has another one, which also ends on ${end}`,
  })
})
