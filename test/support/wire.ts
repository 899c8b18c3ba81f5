import { connect, createServer, type Socket } from 'node:net'
import { placeOf } from './proxy.ts'

/** The traffic between a client and its database. */
export interface Said {
  /** Statements that ran, BEGIN and COMMIT included. */
  readonly statements: number
  /** Statements that were parsed: none, once they are prepared. */
  readonly parsed: number
  /** How often the client waited for answers before it went on. */
  readonly round_trips: number
  readonly bytes_sent: number
}

export interface Wire {
  /** The address of the database through the tap. */
  readonly url: string
  /** Counts the traffic of `work`. Nothing else may use the wire meanwhile. */
  listen(work: () => Promise<unknown>): Promise<Said>
  close(): Promise<void>
}

/**
 * A tap on the wire to a PostgreSQL. It holds answers until every request that was sent has one, so that counts of round
 * trips are the same on every machine.
 */
export async function tapWire(database_url: string): Promise<Wire> {
  const upstream = placeOf(new URL(database_url))
  const sockets = new Set<Socket>()
  const said = { statements: 0, parsed: 0, round_trips: 0, bytes_sent: 0 }
  const server = createServer((client) => {
    const behind = connect(upstream)
    for (const socket of [client, behind]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('close', () => behind.destroy())
    behind.on('close', () => client.destroy())
    // The server reports that it is ready once without a request: at the start.
    let open = 1
    let is_ready = false
    let held: Buffer[] = []
    const asked = readMessages({ begins_untyped: true }, (type) => {
      if (type === 'E' || type === 'Q') said.statements += 1
      if (type === 'P') said.parsed += 1
      if (type === 'S' || type === 'Q') open += 1
    })
    const answered = readMessages({ begins_untyped: false }, (type) => {
      if (type !== 'Z') return
      open -= 1
      is_ready = true
    })
    client.on('data', (bytes: Buffer) => {
      if (open === 0) said.round_trips += 1
      said.bytes_sent += bytes.length
      asked(bytes)
      behind.write(bytes)
    })
    behind.on('data', (bytes: Buffer) => {
      answered(bytes)
      held.push(bytes)
      // Authentication needs several messages before the first report.
      if (open > 0 && is_ready) return
      client.write(Buffer.concat(held))
      held = []
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the tap has no port')
  const url = new URL(database_url)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${address.port}`
  return {
    url: url.href,
    async listen(work) {
      const before = { ...said }
      await work()
      return {
        statements: said.statements - before.statements,
        parsed: said.parsed - before.parsed,
        round_trips: said.round_trips - before.round_trips,
        bytes_sent: said.bytes_sent - before.bytes_sent,
      }
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Parses the bytes of one direction; reports the type of each message. A client's first message has none. */
function readMessages(
  { begins_untyped }: { readonly begins_untyped: boolean },
  onMessage: (type: string) => void,
): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let head = begins_untyped ? 0 : 1
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= head + 4) {
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      if (head === 1) onMessage(String.fromCharCode(rest[0] ?? 0))
      rest = rest.subarray(length)
      head = 1
    }
  }
}
