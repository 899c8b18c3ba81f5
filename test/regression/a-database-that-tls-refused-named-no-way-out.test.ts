import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, TLSSocket } from 'node:tls'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { openDatabase } from '../../src/db/open.ts'
import { unreachable } from '../../src/db/unreachable.ts'
import { findFreePort } from '../../src/lib/listen.ts'
import { makeCertificate, mistakesOf } from '../support/settings.ts'

// `serve` and `doctor` repeated what Node.js or the driver said: to run Node.js with --use-system-ca, which is not how Nuqta is
// started; and for sslmode=require, as providers write it, several lines on other versions of a package.

const folder = mkdtempSync(join(tmpdir(), 'nuqta-database-'))
afterAll(() => rmSync(folder, { recursive: true }))

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A database server as far as a client gets that it refuses, or that refuses it; gives where it listens. */
async function listens(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    // The first message asks for TLS, or for a session without.
    socket.once('data', () => answer(socket))
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server whose certificate is for another host. */
const certificate = makeCertificate(folder, 'elsewhere', { host: 'db.example.com' })
const withTls = () =>
  listens((socket) => {
    socket.write('S')
    const context = { cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) }
    const secured = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(context) })
    secured.on('error', () => undefined)
  })

/** PostgreSQL's answer to a session without TLS, where its rules allow none. */
function refuseInTheClear(socket: Socket): void {
  const fields = `SFATAL\0C28000\0Mno pg_hba.conf entry for host "127.0.0.1", user "nuqta", no encryption\0\0`
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(fields.length + 4, 1)
  socket.end(Buffer.concat([head, Buffer.from(fields)]))
}

const quiet = { progress: () => undefined, log: () => undefined, warn: () => undefined }

/** Why a database cannot be used. */
async function reasonOf(place: string): Promise<string> {
  const url = `postgresql://nuqta:secret@${place}`
  const settings = { database_url: url, migration_url: url }
  const failed = await openDatabase(settings, undefined, { as: 'command', ...quiet }).catch((error: Error) => error)
  return (failed instanceof Error ? failed.message : '').replace('The database of DATABASE_URL cannot be used: ', '')
}

describe('a database that cannot be used says what to do', () => {
  it('about a certificate of an authority that is not known', async () => {
    expect(await reasonOf(`${await withTls()}/nuqta?sslmode=verify-full`)).toBe(
      "the authority of its certificate is not known here; give the authority's certificate at the end of DATABASE_URL, as ?sslmode=verify-full&sslrootcert=/path/to/authority.pem.",
    )
  })

  it('about a certificate for another host', async () => {
    expect(await reasonOf(`${await withTls()}/nuqta?sslmode=verify-full&sslrootcert=${certificate.cert}`)).toBe(
      'its certificate is not for 127.0.0.1; name the host in DATABASE_URL as the certificate does.',
    )
  })

  it('about a server that asks for TLS, and one that has none', async () => {
    expect(await reasonOf(`${await listens(refuseInTheClear)}/nuqta`)).toBe(
      'no pg_hba.conf entry for host "127.0.0.1", user "nuqta", no encryption; end DATABASE_URL with ?sslmode=verify-full.',
    )
    expect(await reasonOf(`${await listens((socket) => socket.end('N'))}/nuqta?sslmode=verify-full`)).toBe(
      'it has no TLS; turn it on there, or leave sslmode out where nobody else can listen in on the network.',
    )
  })
})

describe('a database that cannot be reached', () => {
  const failed = (at: NetConnectOpts) => new Promise<Error>((done) => connect(at).on('error', done))
  const reason = (error: unknown) => unreachable('DATABASE_URL', error).message

  it('is named by its host, its address or its socket', async () => {
    const noHost = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND', hostname: 'db.invalid' })
    expect(reason(noHost)).toMatch(/: there is no host db\.invalid\.$/)
    const port = await findFreePort('127.0.0.1')
    const nothing = new RegExp(`: nothing answers at .*:${port}\\.$`)
    expect(reason(await failed({ host: '127.0.0.1', port }))).toMatch(nothing)
    // One name with two addresses, perhaps.
    expect(reason(await failed({ host: 'localhost', port }))).toMatch(nothing)
    expect(reason(await failed({ path: join(folder, 'none') }))).toMatch(/: there is no socket .*none\.$/)
  })
})

describe('the sslmode of a connection string', () => {
  const given = (more: string) => ({
    env: { DATABASE_URL: `postgresql://u:p@db.example.com/nuqta?${more}`, NUQTA_SECRET_KEY: 'k'.repeat(32) },
    cwd: folder,
  })

  it.each(['prefer', 'require', 'verify-ca', 'verify-full'])('%s checks the certificate, now and later', (mode) => {
    const { database_url } = loadConfig(given(`a=b&sslmode=${mode}&sslrootcert=/ca.pem`))
    expect(database_url).toBe('postgresql://u:p@db.example.com/nuqta?a=b&sslmode=verify-full&sslrootcert=/ca.pem')
  })

  it.each(['sslmode=disable', 'sslmode=no-verify', 'uselibpqcompat=true&sslmode=require'])('%s stays', (more) => {
    expect(loadConfig(given(more)).database_url).toBe(`postgresql://u:p@db.example.com/nuqta?${more}`)
  })

  it('is no other word', () => {
    const mistake = 'DATABASE_URL must have verify-full as its sslmode, or disable to use no TLS'
    expect(mistakesOf(given('sslmode=requird'))).toEqual([mistake])
    expect(mistakesOf(given('sslmode=verify-full&sslmode=allow'))).toEqual([mistake])
  })
})
