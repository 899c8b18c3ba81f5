import { connect } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { checkCertificate } from '../../src/cli/doctor/machine.ts'
import { loadConfig } from '../../src/config/config.ts'
import { describeLife, lifeOf, makeAuthority, makeLeaf } from '../../src/http/transport/certificates.ts'
import { type ServerCertificate, watchCertificate } from '../../src/http/transport/server-certificate.ts'
import { createLog } from '../../src/observability/log.ts'
import { newServices, rows } from './rows.ts'
import { inTemporaryFolder, startServer } from './support.ts'

const made = new Date('2026-01-01T00:00:00Z')
const after = (days: number, from: Date = made) => new Date(from.getTime() + days * 86_400_000)

async function certificate(now: Date, host = 'localhost'): Promise<ServerCertificate> {
  const authority = await makeAuthority([host], now)
  return { ...(await makeLeaf(authority, [host], now)), caPath: undefined }
}

it('a certificate is spoken of when it is too early, within 21 days of its end, and after it', async () => {
  const { cert } = await certificate(made)
  const said = (days: number) => describeLife(lifeOf(cert, after(days)))
  expect(said(-1)).toBe('is not valid before 2025-12-31')
  expect([said(0), said(376)]).toEqual([undefined, undefined])
  expect(said(376.5)).toBe('expires on 2027-02-02, in 20 days')
  expect(said(396.5)).toBe('expires on 2027-02-02, in 0 days')
  expect(said(397.5)).toBe('expired on 2027-02-02')
})

it('of a chain the one that ends first counts', async () => {
  const [long, short] = [await certificate(after(300)), await certificate(made)]
  expect(lifeOf(`${long.cert}${short.cert}`, after(300)).ends_on).toBe('2027-02-02')
})

it('a service warns of it at its start and every day, and goes over to a renewed one without a restart', async () => {
  const [old, fresh] = [await certificate(made), await certificate(after(375))]
  const server = await startServer(rows, newServices())
  onTestFinished(() => server.stop())
  const lines: string[] = []
  const log = createLog({ level: 'info', stream: { write: (line) => lines.push(JSON.parse(line).message) } })
  let found = old
  let now = after(100)
  server.server.renew(old)
  const care = watchCertificate({
    ...{ current: old, log, now: () => now },
    find: async () => found,
    renew: (one) => server.server.renew(one),
  })
  onTestFinished(care.stop)
  await care.check()
  expect(lines).toEqual([])
  now = after(380)
  await care.check()
  expect(lines.splice(0)).toEqual([
    'the certificate expires on 2027-02-02, in 17 days: renew it, then restart the service',
  ])
  expect(await endOf(server.port)).toBe('2027-02-02')
  found = fresh
  await care.check()
  expect(lines).toEqual(['the certificate of the local authority was renewed'])
  expect(await endOf(server.port)).toBe('2028-02-12')
})

function endOf(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(new Date(socket.getPeerCertificate().valid_to).toISOString().slice(0, 10))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

it('the doctor names one that ends soon, has ended, or is for another host than the public URL', async () => {
  const examine = async (from: Date, env: Readonly<Record<string, string>> = {}) =>
    inTemporaryFolder(async (cwd) => {
      const { cert, key } = await certificate(from, 'points.example.com')
      const url = { NUQTA_PUBLIC_URL: 'https://points.example.com' }
      return checkCertificate(loadConfig({ env: { NUQTA_TLS_CERT: cert, NUQTA_TLS_KEY: key, ...url, ...env }, cwd }))
    })
  const now = new Date()
  expect(await examine(now)).toEqual({ check: 'certificate', ok: true, detail: 'valid for 396 more days' })
  expect(await examine(after(-380, now))).toMatchObject({ ok: false, detail: expect.stringContaining('in 16 days') })
  expect(await examine(after(-400, now))).toMatchObject({ ok: false, detail: expect.stringContaining('it expired on') })
  const elsewhere = { NUQTA_PUBLIC_URL: 'https://elsewhere.example.com' }
  expect(await examine(now, elsewhere)).toMatchObject({
    ok: false,
    detail: expect.stringContaining('elsewhere.example'),
  })
  expect(await examine(now, { ...elsewhere, NUQTA_TRUST_PROXY: '10.0.0.7' })).toMatchObject({ ok: true })
})
