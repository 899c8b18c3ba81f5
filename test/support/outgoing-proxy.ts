import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** A proxy for outgoing requests, as operators run one. It resolves every name to this machine. */
export interface OutgoingProxy {
  readonly url: string
  /** Its requests: `CONNECT host:port`. */
  readonly asked: readonly string[]
  stop(): Promise<void>
}

/** Opens a tunnel for CONNECT; answers any other request itself. */
export async function startOutgoingProxy(): Promise<OutgoingProxy> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(200).end('by the proxy')
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`)
    const there = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      there.pipe(socket).pipe(there)
    })
    socket.on('error', () => there.destroy())
    there.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
