import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Connections } from '../../src/http/transport/connections.ts'
import { newServices, rows, validPurchase } from '../http/rows.ts'
import { keys, startServer, type TestServer } from '../http/support.ts'

// Nothing bounded how many connections are open. Each takes 60 kB until it has been idle for 65 s: one stranger who opened
// 6,000, each with a request for /healthz, brought a process from 140 to 500 MB.

describe('a server with as many connections as it may have', () => {
  const servers: TestServer[] = []
  const sockets: TLSSocket[] = []
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    for (const server of servers.splice(0)) await server.stop()
  })

  async function started() {
    const services = newServices()
    const server = await startServer(rows, services, { limits: { connections: 4 } })
    servers.push(server)
    const open = () => {
      const socket = connect({ port: server.port, host: 'localhost', ca: server.tls.ca })
      sockets.push(socket)
      return socket.on('error', () => undefined)
    }
    return { server, services, open }
  }

  const get = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
  /** Sends a request, and waits until its answer begins or the connection ends. */
  const ask = (socket: TLSSocket, request = get) =>
    new Promise<string>((resolve) => {
      socket.once('data', (data) => resolve(data.toString('latin1').slice(9, 12)))
      socket.once('close', () => resolve('cut'))
      if (socket.closed) resolve('cut')
      else socket.write(request)
    })
  const body = JSON.stringify(validPurchase)
  const purchase = [
    'POST /api/v1/orders/earning HTTP/1.1',
    'Host: localhost',
    `x-api-key: ${keys.good}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')

  it('cuts the one that was used longest ago for another one', async () => {
    const { server, open } = await started()
    const [first, second, third, fourth] = [open(), open(), open(), open()]
    for (const socket of [first, second, third, fourth, first]) expect(await ask(socket)).toBe('200')
    expect(await ask(open())).toBe('200')
    expect(await ask(second)).toBe('cut')
    for (const socket of [first, third, fourth]) expect(await ask(socket)).toBe('200')
    expect(await server.metrics.registry.metrics()).toContain('nuqta_http_connection_errors_total{kind="crowded"} 1')
  })

  it('finishes the answers under way, and takes no more from the same client', async () => {
    const { services, open } = await started()
    let release = () => {}
    services.pause = new Promise((resolve) => {
      release = () => resolve()
    })
    const answers = Array.from({ length: 4 }, () => ask(open(), purchase))
    await expect.poll(() => services.handled).toBe(4)
    expect(await ask(open())).toBe('cut')
    release()
    expect(await Promise.all(answers)).toEqual(['200', '200', '200', '200'])
  })
})

describe('clients of several addresses', () => {
  let port = 0
  /** An accepted connection, as far as they are looked at. */
  const accepted = (remoteAddress: string) => {
    port += 1
    return Object.assign(new PassThrough(), { remoteAddress, remotePort: port }) as unknown as Socket
  }
  const answering = (connections: Connections, socket: Socket) => {
    connections.serving(socket)
    connections.began({ socket } as IncomingMessage, {} as ServerResponse)
  }

  it.each([
    ['of one address', ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.1']],
    ['of one home', ['2001:db8::1', '2001:db8::2:1', '2001:db8:0:7::1', '2001:db8:0:9::1']],
  ])('let another client in: the connections %s are cut first, even answered ones', (_, addresses) => {
    const crowded = vi.fn()
    const connections = new Connections(5, crowded)
    const many = addresses.map(accepted)
    const other = accepted('198.51.100.7')
    for (const socket of [other, ...many]) {
      connections.opened(socket)
      answering(connections, socket)
    }
    const another = accepted('203.0.113.9')
    connections.opened(another)
    expect([other, ...many, another].map(({ destroyed }) => destroyed)).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
    ])
    expect(connections.count).toBe(5)
    expect(crowded).toHaveBeenCalledTimes(1)
  })
})
