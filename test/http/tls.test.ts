import { X509Certificate } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { makeLeaf } from '../../src/http/transport/certificates.ts'
import { ensureLocalAuthority } from '../../src/http/transport/server-certificate.ts'
import { inTemporaryFolder } from './support.ts'

const days = (count: number) => new Date(Date.now() + count * 86_400_000)
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

/** Whether a client that trusts `ca` accepts a server with this certificate under `host`. */
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
  it('certifies this machine and the given hosts, in files that others cannot read', async () => {
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

  it('is kept, and so is the certificate, until something changes', async () => {
    await inTemporaryFolder(async (folder) => {
      const first = await ensureLocalAuthority(folder, ['a.test', 'b.test'])
      expect(await ensureLocalAuthority(folder, ['a.test', 'b.test'])).toEqual(first)
      const fewer = await ensureLocalAuthority(folder, ['a.test'])
      expect([fewer.ca === first.ca, fewer.cert === first.cert]).toEqual([true, false])
      const later = await ensureLocalAuthority(folder, ['a.test'], days(368))
      expect([later.ca === first.ca, later.cert === fewer.cert]).toEqual([true, false])
    })
  })

  it('is made again when it may not certify a host, is near its end, or its files are damaged', async () => {
    await inTemporaryFolder(async (folder) => {
      const first = await ensureLocalAuthority(folder, [])
      const named = await ensureLocalAuthority(folder, ['new.test'])
      expect(named.ca).not.toBe(first.ca)
      expect(await accepts(named.ca, named, 'new.test')).toBe(true)
      const renewed = await ensureLocalAuthority(folder, ['new.test'], days(3_300))
      expect(renewed.ca).not.toBe(named.ca)
      await writeFile(join(folder, 'server.key'), 'damaged')
      const repaired = await ensureLocalAuthority(folder, ['new.test'], days(3_300))
      expect([repaired.ca === renewed.ca, repaired.key === renewed.key]).toEqual([true, false])
      await writeFile(join(folder, 'ca.pem'), 'damaged')
      expect((await ensureLocalAuthority(folder, ['new.test'])).ca).not.toBe(renewed.ca)
    })
  })

  it('cannot be used for any other name, even by who holds its key', async () => {
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
