import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ensureLocalAuthority, type LocalAuthority } from '../../src/http/transport/server-certificate.ts'
import { createPoster, type PostOptions, type PostResult } from '../../src/net/post.ts'
import { startOutgoingProxy } from '../support/outgoing-proxy.ts'
import { freePort } from '../support/port.ts'
import { answers, startRaw, testReceiver } from '../support/receiver.ts'
import { readTable } from '../support/tables.ts'

// Guarantee: a request ends in a result whatever the receiver does, and never connects to an internal address.

const authorities: Record<string, LocalAuthority> = {}
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nuqta-post-'))
  for (const name of ['trusted', 'unknown'])
    authorities[name] = await ensureLocalAuthority(join(folder, name), ['hooks.example'])
})
afterAll(() => rm(folder, { recursive: true }))

const authority = (name: 'trusted' | 'unknown'): LocalAuthority => {
  const found = authorities[name]
  if (found === undefined) throw new Error('made before the tests')
  return found
}

function poster(options: Partial<PostOptions> = {}) {
  const made = createPoster({
    allow_loopback: true,
    resolve: async () => ['127.0.0.1'],
    timeout_ms: 20_000,
    ca: [],
    response_limit_bytes: 16_384,
    ...options,
  })
  onTestFinished(() => made.close())
  return made
}

const body = JSON.stringify({ event: 'approved', order: { id: 'x' }, timestamp: '2026-01-31T09:00:00Z' })
const post = (url: string, options: Partial<PostOptions> = {}): Promise<PostResult> =>
  poster(options).post({ url, headers: { 'content-type': 'application/json' }, body })

async function raw(greet: Parameters<typeof startRaw>[0]) {
  const started = await startRaw(greet)
  onTestFinished(() => started.stop())
  return started
}

describe('a receiver that answers', () => {
  it('returns its status and its body', async () => {
    const { url, received } = await testReceiver()
    const nothing = { retry_after: null, error: null, error_code: null }
    expect(await post(url)).toEqual({ status: 200, response: 'ok', ...nothing, silent: false })
    expect(received[0]?.body).toEqual(JSON.parse(body))
  })

  it('with an error still counts as an answer', async () => {
    const { url } = await testReceiver({ answer: answers.status(503, { 'retry-after': '120' }) })
    expect(await post(url)).toMatchObject({ status: 503, response: 'answered 503', retry_after: '120', error: null })
  })

  it('with an empty body has answered', async () => {
    const { url } = await testReceiver({ answer: answers.status(204) })
    expect(await post(url)).toMatchObject({ status: 204, response: '', error: null })
  })

  it('with a redirect is not followed', async () => {
    const other = await testReceiver()
    const { url } = await testReceiver({ answer: answers.status(301, { location: other.url }) })
    expect(await post(url)).toMatchObject({ status: 301, error: null })
    expect(other.received).toEqual([])
  })

  it('with early hints first is read to the end', async () => {
    const { url } = await testReceiver({
      answer: (response) => {
        response.writeEarlyHints({ link: '</a>; rel=preload' })
        response.writeHead(202).end('later')
      },
    })
    expect(await post(url)).toMatchObject({ status: 202, response: 'later', error: null })
  })

  it('without end is read up to the limit, and its connection is cut', async () => {
    const { url } = await testReceiver({ answer: answers.endless })
    const result = await post(url)
    expect(result).toMatchObject({ status: 200, error: null })
    expect(result.response).toBe('x'.repeat(16_384))
  })

  it('with bytes that are no text gives the readable part', async () => {
    const { url } = await testReceiver({
      answer: (response) => void response.writeHead(200).end(Buffer.from([0x61, 0, 0xff])),
    })
    expect(await post(url)).toMatchObject({ response: 'a\uFFFD\uFFFD' })
  })
})

describe('a receiver that does not answer', () => {
  it('in time is given up', async () => {
    const { url } = await testReceiver({ answer: answers.hang })
    expect(await post(url, { timeout_ms: 300 })).toMatchObject({
      status: null,
      error: 'no whole answer within 0.3 s',
      silent: true,
    })
  })

  it('to the end in time is given up, though it is never silent for long', async () => {
    const { url } = await testReceiver({ answer: answers.drip })
    expect(await post(url, { timeout_ms: 1_000 })).toMatchObject({ status: 200, error: 'no whole answer within 1 s' })
  })

  it('because nothing listens: the error says so', async () => {
    const result = await post(`http://127.0.0.1:${await freePort()}/`)
    expect(result).toMatchObject({ status: null, error: 'the connection was refused (ECONNREFUSED)', silent: true })
  })

  it('because it breaks the connection: the error says so', async () => {
    const { url } = await testReceiver({ answer: answers.reset })
    expect(await post(url)).toMatchObject({ status: null, error: 'the connection was reset (ECONNRESET)' })
  })

  it('because it closes the connection: the error says so', async () => {
    const { port } = await raw((socket) => socket.on('data', () => socket.end()))
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      error: 'the connection was closed before the answer (UND_ERR_SOCKET)',
    })
  })

  it('in HTTP: the error says so', async () => {
    const { port } = await raw((socket) => socket.on('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')))
    const { status, error } = await post(`http://127.0.0.1:${port}/`)
    expect(status).toBeNull()
    expect(error).toMatch(/does not match the HTTP/)
  })

  it('during the handshake: the request ends in time', async () => {
    const { port } = await raw(() => undefined)
    expect(await post(`https://127.0.0.1:${port}/`, { timeout_ms: 300 })).toMatchObject({
      error: 'no whole answer within 0.3 s',
      silent: true,
    })
  })

  it('because its name has no address: the error says so', async () => {
    expect(await post('https://nowhere.example/', { resolve: async () => [] })).toMatchObject({
      error: 'the name nowhere.example has no address',
    })
  })

  it('because its look-up hangs: the request ends in time', async () => {
    const resolve = () => new Promise<never>(() => undefined)
    expect(await post('https://slow.example/', { resolve, timeout_ms: 300 })).toMatchObject({
      error: 'no whole answer within 0.3 s',
    })
  })
})

describe('the certificate of a receiver', () => {
  it('is accepted when an authority that is trusted has signed it', async () => {
    const { port, received } = await testReceiver({ tls: authority('trusted') })
    expect(await post(`https://localhost:${port}/`, { ca: [authority('trusted').ca] })).toMatchObject({ status: 200 })
    expect(received).toHaveLength(1)
  })

  it.each([
    ['of an unknown authority', 'unknown', 'localhost', /^TLS: /],
    ['for another name', 'trusted', 'other.example', /^TLS: .*other\.example/],
  ] as const)('%s is refused, and nothing is sent', async (_, signer, host, error) => {
    const { port, received } = await testReceiver({ tls: authority(signer) })
    const result = await post(`https://${host}:${port}/`, { ca: [authority('trusted').ca] })
    expect(result.status).toBeNull()
    expect(result.error).toMatch(error)
    expect(received).toEqual([])
  })
})

describe('connections', () => {
  it('are reused', async () => {
    const ports = new Set<number | undefined>()
    const { url } = await testReceiver({
      answer: (response) => {
        ports.add(response.socket?.remotePort)
        response.writeHead(200).end('ok')
      },
    })
    const { post: again } = poster()
    for (let i = 0; i < 5; i += 1) {
      await again({ url, headers: {}, body })
      // A connection is free once the last byte of the answer was handled.
      await nextTurn()
    }
    expect(ports.size).toBe(1)
  })

  it('that hang do not keep others of the same place waiting', async () => {
    const { url, waitFor, stop } = await testReceiver({ answer: answers.firstly(20, answers.hang, answers.ok) })
    const made = poster({ timeout_ms: 60_000 })
    const hanging = Array.from({ length: 20 }, () => made.post({ url, headers: {}, body }))
    await waitFor(20)
    expect(await made.post({ url, headers: {}, body })).toMatchObject({ status: 200 })
    await stop()
    for (const { status } of await Promise.all(hanging)) expect(status).toBeNull()
  })
})

// Every way to write an address of our own network. We listen on the port, so a connection would be noticed.
const forms = readTable(`
  host
  127.0.0.1
  127.1
  127.0.1
  127.255.255.254
  2130706433
  0x7f000001
  0x7f.1
  0x7F.0x0.0x0.0x1
  0177.0.0.1
  017700000001
  127.0.0.1.
  0
  0.0.0.0
  localhost
  LOCALHOST
  localhost.
  sub.localhost
  ip6-localhost
  ①②⑦.⓪.⓪.①
  127。0。0。1
  %31%32%37.0.0.1
  [::1]
  [0:0:0:0:0:0:0:1]
  [::]
  [::ffff:127.0.0.1]
  [::ffff:7f00:1]
  [::127.0.0.1]
  [64:ff9b::7f00:1]
  [2002:7f00:1::]
  10.0.0.1
  10.1
  012.0.0.1
  0xa000001
  172.16.0.1
  172.31.255.255
  192.168.1.1
  3232235777
  169.254.169.254
  169.254.43518
  2852039166
  0xA9FEA9FE
  [::ffff:169.254.169.254]
  [::ffff:a9fe:a9fe]
  100.64.0.1
  192.0.0.192
  198.18.0.1
  203.0.113.7
  224.0.0.1
  255.255.255.255
  [fe80::1]
  [fec0::1]
  [fc00::1]
  [fd00:ec2::254]
  [ff02::1]
  [2001:db8::1]
  metadata
  metadata.google.internal
  metadata.google.internal.
`)

describe('an address of our own network', () => {
  it.each(forms.map(({ host }) => host ?? ''))('written as %s is not connected to', async (host) => {
    let connected = 0
    const { port } = await raw((socket) => {
      connected += 1
      socket.destroy()
    })
    for (const scheme of ['http', 'https']) {
      const result = await post(`${scheme}://${host}:${port}/`, { allow_loopback: false })
      expect(result).toMatchObject({ status: null, silent: true })
      expect(result.error).toMatch(/^refused: /)
    }
    expect(connected).toBe(0)
  })

  it.each(['[fe80::1%25eth0]', '[::1%25lo]', '[::ffff:127.0.0.1%25lo]'])(
    'with a zone, as in %s, is no URL',
    async (host) => {
      expect(await post(`https://${host}/`, { allow_loopback: false })).toMatchObject({
        error: 'the URL cannot be read',
      })
    },
  )

  it.each([
    [['127.0.0.1']],
    [['10.0.0.8']],
    [['::1']],
    [['fe80::1%eth0']],
    [['::ffff:169.254.169.254']],
    // One internal address of several is enough, since any of them may be used.
    [['93.184.215.14', '127.0.0.1']],
    [['not an address']],
  ])('that a name has (%j) is not connected to', async (addresses) => {
    const { port, received } = await testReceiver()
    const result = await post(`http://inside.example:${port}/`, {
      allow_loopback: false,
      resolve: async () => addresses,
    })
    expect(result.error).toMatch(/^refused: inside\.example/)
    expect(received).toEqual([])
  })

  it('that a name gets after the check is never used: the connection goes to the checked address', async () => {
    const { port, received } = await testReceiver({
      answer: (response) => void response.writeHead(200, { connection: 'close' }).end('ok'),
    })
    let asked = 0
    // A rebinding name: first an allowed address (here: this machine), then our own network.
    const resolve = async () => (++asked === 1 ? ['127.0.0.1'] : ['10.0.0.1'])
    const { post: send } = poster({ resolve })
    const url = `http://rebinding.example:${port}/`
    expect(await send({ url, headers: {}, body })).toMatchObject({ status: 200 })
    expect(asked).toBe(1)
    expect((await send({ url, headers: {}, body })).error).toMatch(
      /^refused: rebinding\.example \(10\.0\.0\.1\) is a reserved address/,
    )
    expect(received).toHaveLength(1)
  })

  it('is refused with the setting that would allow it, if there is one', async () => {
    expect(await post('http://127.0.0.1:1/', { allow_loopback: false })).toMatchObject({
      error: 'refused: 127.0.0.1 is this machine; in a sandbox NUQTA_WEBHOOK_ALLOW_LOOPBACK=true allows that',
    })
    expect(await post('http://10.0.0.1:1/', { allow_loopback: false })).toMatchObject({
      error: 'refused: 10.0.0.1 is a reserved address, not on the public internet',
    })
  })

  it('other than this machine is refused even when loopback is allowed', async () => {
    expect((await post('http://10.0.0.1:1/')).error).toMatch(/^refused: /)
    expect((await post('http://inside.example:1/', { resolve: async () => ['192.168.0.9'] })).error).toMatch(
      /^refused: /,
    )
  })
})

async function startProxy() {
  const started = await startOutgoingProxy()
  onTestFinished(() => started.stop())
  return { asked: started.asked, proxy: started.url }
}

describe('through an outgoing proxy', () => {
  it('a receiver is reached by a tunnel, and we verify its certificate', async () => {
    const { proxy, asked } = await startProxy()
    const { port, received } = await testReceiver({ tls: authority('trusted') })
    const options = { proxy, ca: [authority('trusted').ca], resolve: async () => [], allow_loopback: false }
    expect(await post(`https://hooks.example:${port}/`, options)).toMatchObject({ status: 200, error: null })
    expect(asked).toEqual([`CONNECT hooks.example:${port}`])
    expect(received).toHaveLength(1)
    const distrusting = await post(`https://hooks.example:${port}/`, { ...options, ca: [authority('unknown').ca] })
    expect(distrusting.error).toMatch(/^TLS: /)
  })

  it.each(['127.0.0.1', '2130706433', '[::1]', 'localhost', '169.254.169.254', 'metadata.google.internal'])(
    '%s is not asked for',
    async (host) => {
      const { proxy, asked } = await startProxy()
      expect((await post(`https://${host}/`, { proxy, allow_loopback: false })).error).toMatch(/^refused: /)
      expect(asked).toEqual([])
    },
  )

  it('a receiver on this machine is reached without the proxy, if it is allowed', async () => {
    const { proxy, asked } = await startProxy()
    const { url, received } = await testReceiver()
    expect(await post(url, { proxy })).toMatchObject({ status: 200, response: 'ok' })
    expect(received).toHaveLength(1)
    expect(asked).toEqual([])
  })

  it('the time for a request includes the look-up, and a slow look-up ends it before the proxy', async () => {
    const { proxy, asked } = await startProxy()
    const late = Promise.withResolvers<string[]>()
    const options = { proxy, timeout_ms: 300, resolve: () => late.promise, allow_loopback: false }
    expect(await post('https://slow.example/', options)).toMatchObject({
      error: 'no whole answer within 0.3 s',
      silent: true,
    })
    late.resolve(['8.8.8.8'])
    await nextTurn()
    expect(asked).toEqual([])
  })

  it('the proxy gets no request for a name in our own network', async () => {
    const { proxy, asked } = await startProxy()
    const options = { proxy, allow_loopback: false, resolve: async () => ['10.0.0.1'] }
    expect((await post('https://inside.example/', options)).error).toMatch(/^refused: inside\.example \(10\.0\.0\.1\)/)
    expect(asked).toEqual([])
  })
})
