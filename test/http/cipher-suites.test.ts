import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConnectionOptions, connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createListener, defaultLimits, type Listener } from '../../src/http/transport/listener.ts'
import { trustProxies } from '../../src/http/transport/proxy.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import { inTemporaryFolder } from './support.ts'

let listener: Listener
let port = 0

beforeAll(async () => {
  // With an RSA key, a client could choose any of the old suites.
  const tls = await inTemporaryFolder(async (folder) => {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const made = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2', '-keyout', key, '-out', cert]
    execFileSync('openssl', ['req', '-x509', ...made], { stdio: 'pipe' })
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  })
  listener = createListener({
    tls,
    proxies: trustProxies([]),
    metrics: createMetrics(),
    limits: defaultLimits,
    headers: {},
    handle: (_, response) => response.end('ok'),
    pathFailure: () => ({ kind: 'path_not_found' }),
    allowsAnyOrigin: () => false,
  })
  await new Promise<void>((resolve) => listener.server.listen(0, '127.0.0.1', resolve))
  const address = listener.server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(() => {
  listener.connections.cutAll()
  listener.server.close()
  listener.close()
})

/** The protocol and suite that a client with these options agrees on with the server, or its error. */
function agree(options: ConnectionOptions): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().name}`)
      socket.destroy()
    })
    socket.on('error', () => resolve('refused'))
  })
}

const of_1_2 = (ciphers: string) =>
  agree({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` })

describe('TLS', () => {
  it('prefers 1.3 and still accepts 1.2', async () => {
    expect(await agree({})).toBe('TLSv1.3 TLS_AES_256_GCM_SHA384')
    expect(await agree({ maxVersion: 'TLSv1.2' })).toMatch(/^TLSv1\.2 ECDHE-RSA-/)
  })

  it('1.2 accepts suites with forward secrecy and authenticated encryption', async () => {
    for (const suite of ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-CHACHA20-POLY1305'])
      expect(await of_1_2(suite)).toBe(`TLSv1.2 ${suite}`)
  })

  const old = {
    'CBC, with forward secrecy': ['ECDHE-RSA-AES128-SHA256', 'ECDHE-RSA-AES256-SHA384', 'ECDHE-RSA-AES128-SHA'],
    'keys exchanged by RSA': ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'AES128-SHA', 'AES256-SHA256'],
    'finite fields': ['DHE-RSA-AES128-GCM-SHA256', 'DHE-RSA-CHACHA20-POLY1305'],
  }
  it.each(Object.entries(old))('1.2 refuses %s', async (_, suites) => {
    for (const suite of suites) expect([suite, await of_1_2(suite)]).toEqual([suite, 'refused'])
  })

  it('refuses 1.1 and 1.0', async () => {
    const ciphers = 'DEFAULT:@SECLEVEL=0'
    expect(await agree({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers })).toBe('refused')
  })
})
