import { X509Certificate } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { checkCertificate } from '../../src/doctor/machine.ts'
import { describeLife, lifeOf, makeAuthority, makeLeaf } from '../../src/http/transport/certificates.ts'
import {
  ensureLocalAuthority,
  type ServerCertificate,
  watchCertificate,
} from '../../src/http/transport/server-certificate.ts'
import { createLog } from '../../src/observability/log.ts'
import { newServices, rows } from './rows.ts'
import { inTemporaryFolder, startServer } from './support.ts'

const made = new Date('2026-01-01T00:00:00Z')
const after = (days: number, from: Date = made) => new Date(from.getTime() + days * 86_400_000)
const inDays = (days: number) => after(days, new Date())
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

/** Whether a client that trusts `ca` accepts the certificate for `host`; if not, why. */
async function accepts(ca: string, pair: { cert: string; key: string }, host: string): Promise<true | string> {
  const server = createServer(pair)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    return await new Promise((resolve) => {
      const { checkHost, checkIP } = X509Certificate.prototype
      const names = isIP(host) === 0 ? checkHost : checkIP
      const options = { port, host: '127.0.0.1', ca, checkServerIdentity: () => undefined }
      const socket = connect(options, () => {
        socket.destroy()
        resolve(names.call(new X509Certificate(pair.cert), host) === undefined ? 'another name' : true)
      })
      socket.on('error', (error) => resolve(error.message))
    })
  } finally {
    server.close()
  }
}

describe('the local authority', () => {
  it('certifies this machine and the given hosts, in files that other users cannot read', async () => {
    await inTemporaryFolder(async (folder) => {
      const made = await ensureLocalAuthority(join(folder, 'tls'), ['points.example.test', '[::1]'])
      for (const host of ['localhost', '127.0.0.1', '::1', 'points.example.test'])
        expect([host, await accepts(made.ca, made, host)]).toEqual([host, true])
      expect(await accepts(made.ca, made, 'elsewhere.test')).toBe('another name')
      expect(await modeOf(join(folder, 'tls'))).toBe('700')
      expect(await modeOf(join(folder, 'tls/ca.key'))).toBe('600')
      expect(await modeOf(join(folder, 'tls/server.key'))).toBe('600')
      expect(await readFile(made.caPath, 'utf8')).toBe(made.ca)
    })
  })

  it('is kept; the certificate is renewed near its end or for other hosts', async () => {
    await inTemporaryFolder(async (folder) => {
      const first = await ensureLocalAuthority(folder, ['a.test', 'b.test'])
      expect(await ensureLocalAuthority(folder, ['a.test', 'b.test'])).toEqual(first)
      const fewer = await ensureLocalAuthority(folder, ['a.test'])
      expect([fewer.ca === first.ca, fewer.cert === first.cert]).toEqual([true, false])
      const later = await ensureLocalAuthority(folder, ['a.test'], inDays(368))
      expect([later.ca === first.ca, later.cert === fewer.cert]).toEqual([true, false])
    })
  })

  it('is replaced when it may not certify a host, is near its end, or is damaged', async () => {
    await inTemporaryFolder(async (folder) => {
      const first = await ensureLocalAuthority(folder, [])
      const named = await ensureLocalAuthority(folder, ['new.test'])
      expect(named.ca).not.toBe(first.ca)
      expect(await accepts(named.ca, named, 'new.test')).toBe(true)
      const renewed = await ensureLocalAuthority(folder, ['new.test'], inDays(3_300))
      expect(renewed.ca).not.toBe(named.ca)
      await writeFile(join(folder, 'server.key'), 'damaged')
      const repaired = await ensureLocalAuthority(folder, ['new.test'], inDays(3_300))
      expect([repaired.ca === renewed.ca, repaired.key === renewed.key]).toEqual([true, false])
      await writeFile(join(folder, 'ca.pem'), 'damaged')
      expect((await ensureLocalAuthority(folder, ['new.test'])).ca).not.toBe(renewed.ca)
    })
  })

  it('cannot certify any other name, even with its key', async () => {
    await inTemporaryFolder(async (folder) => {
      const { ca } = await ensureLocalAuthority(folder, [])
      const key = await readFile(join(folder, 'ca.key'), 'utf8')
      const forged = await makeLeaf({ cert: ca, key }, ['bank.example'], new Date())
      expect(await accepts(ca, forged, 'bank.example')).toMatch(/permitted subtree violation/)
      const address = await makeLeaf({ cert: ca, key }, ['10.0.0.1'], new Date())
      expect(await accepts(ca, address, '10.0.0.1')).toMatch(/permitted subtree violation/)
    })
  })

  it('refuses a host that no certificate can name', async () => {
    await inTemporaryFolder(async (folder) => {
      for (const host of ['a b', '*', 'نقطة.example', '-x', ''])
        await expect(ensureLocalAuthority(folder, [host])).rejects.toThrow(/not a host/)
    })
  })
})

async function certificate(now: Date, host = 'localhost'): Promise<ServerCertificate> {
  const authority = await makeAuthority([host], now)
  return { ...(await makeLeaf(authority, [host], now)), caPath: undefined }
}

it('a warning is due before a certificate is valid, within 21 days of its end, and after its end', async () => {
  const { cert } = await certificate(made)
  const warning = (days: number) => describeLife(lifeOf(cert, after(days)))
  expect(warning(-1)).toBe('is not valid before 2025-12-31')
  expect([warning(0), warning(376)]).toEqual([undefined, undefined])
  expect(warning(376.5)).toBe('expires on 2027-02-02, in 20 days')
  expect(warning(395.5)).toBe('expires on 2027-02-02, in 1 day')
  expect(warning(396.5)).toBe('expires on 2027-02-02, in 0 days')
  expect(warning(397.5)).toBe('expired on 2027-02-02')
})

it('in a chain, the certificate that ends first counts', async () => {
  const [long, short] = [await certificate(after(300)), await certificate(made)]
  expect(lifeOf(`${long.cert}${short.cert}`, after(300)).ends_on).toBe('2027-02-02')
})

it('a service warns at start and every day, and switches to a renewed certificate without a restart', async () => {
  const [old, fresh] = [await certificate(made), await certificate(after(375))]
  const server = await startServer(rows, newServices())
  onTestFinished(() => server.stop())
  const lines: string[] = []
  const log = createLog({ level: 'info', stream: { write: (line) => lines.push(JSON.parse(line).message) } })
  let found = old
  let now = after(100)
  server.server.renew(old)
  const watch = watchCertificate({
    ...{ current: old, log, now: () => now },
    find: async () => found,
    renew: (one) => server.server.renew(one),
  })
  onTestFinished(watch.stop)
  await watch.check()
  expect(lines).toEqual([])
  now = after(380)
  await watch.check()
  expect(lines.splice(0)).toEqual([
    'the certificate expires on 2027-02-02, in 17 days: renew it, then restart the service',
  ])
  expect(await endOf(server.port)).toBe('2027-02-02')
  found = fresh
  await watch.check()
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

it('the doctor reports a certificate that ends soon, has ended, or is for another host than the public URL', async () => {
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
