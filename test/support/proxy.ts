import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from './port.ts'

type Break = 'before the server hears the COMMIT' | 'after the server has committed'

export interface DatabaseProxy {
  /** The database behind it, by way of the proxy. */
  readonly url: string
  /** Breaks the next connection that commits. Its client notices when `meanwhile` is over. */
  breakNextCommit(when: Break, meanwhile?: () => Promise<void>): void
  /** Passes this many more bytes of answers, then none; resolves when it has stopped. */
  stallAfter(bytes: number): Promise<void>
  /** Cuts every connection and refuses new ones, like a server that goes down. */
  down(): Promise<void>
  /** Accepts again, at the same place. */
  up(): Promise<void>
  close(): Promise<void>
}

/** A way to a PostgreSQL on which connections can be cut at the worst moment. */
export async function startProxy(database_url: string): Promise<DatabaseProxy> {
  const upstream = placeOf(new URL(database_url))
  const sockets = new Set<Socket>()
  let nextBreak: { readonly when: Break; readonly meanwhile: () => Promise<void> } | undefined
  const stall = createStall()
  const port = await freePort()
  let server: Server

  function pass(client: Socket): void {
    const behind = connect(upstream)
    for (const socket of [client, behind]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    let breaking: typeof nextBreak
    const breakOff = (meanwhile: () => Promise<void>) => {
      behind.destroy()
      void meanwhile().finally(() => client.destroy())
    }
    client.on('close', () => behind.destroy())
    behind.on('close', () => breaking === undefined && client.destroy())
    client.on('data', (bytes) => {
      if (nextBreak === undefined || !bytes.includes('commit\0')) return void behind.write(bytes)
      breaking = nextBreak
      nextBreak = undefined
      if (breaking.when === 'after the server has committed') behind.write(bytes)
      else breakOff(breaking.meanwhile)
    })
    behind.on('data', (bytes) => {
      if (stall.holds(bytes)) return
      if (breaking === undefined) client.write(bytes)
      else if (bytes.includes('COMMIT\0')) breakOff(breaking.meanwhile)
    })
  }

  async function up(): Promise<void> {
    server = createServer(pass)
    await listen(server, port)
  }

  async function down(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }

  await up()
  const url = new URL(database_url)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    breakNextCommit(when, meanwhile = async () => undefined) {
      nextBreak = { when, meanwhile }
    },
    stallAfter: stall.after,
    down,
    up,
    close: down,
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}

/** Counts bytes up to a number. */
function createStall(): { holds(bytes: { readonly length: number }): boolean; after(bytes: number): Promise<void> } {
  let left = Number.POSITIVE_INFINITY
  let reached = Promise.withResolvers<void>()
  return {
    holds({ length }) {
      left -= length
      if (left <= 0) reached.resolve()
      return left <= 0
    },
    after(bytes) {
      left = bytes
      reached = Promise.withResolvers()
      return reached.promise
    },
  }
}

/** Where a database listens. */
export function placeOf(url: URL): { path: string } | { host: string; port: number } {
  const host = url.searchParams.get('host') ?? url.hostname
  const port = Number(url.port || 5432)
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}
