import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { homeOf } from '../../lib/client-network.ts'

interface Connection {
  /** The accepted one, under TLS. */
  readonly socket: Socket
  readonly peer: string
  /** Who opened it (`homeOf`). */
  readonly home: string
  /** Its latest answer. */
  answer: ServerResponse | undefined
}

/** How many connections are taken at most. */
export const most_connections = 2_000
/** What else a process has open: its files, connections to the database, to providers and to receivers. */
const other_files = 600

/**
 * How many connections a process takes that may have so many files open. Without a free one it could not reach its database, and
 * the system would cut new connections, whoever they are from.
 */
export function connectionsWithin(open_files: number | undefined): number {
  if (open_files === undefined) return most_connections
  return Math.min(most_connections, Math.max(open_files - other_files, Math.trunc(open_files / 2)))
}

/**
 * Keeps track of connections and their answers, so that a stop can tell idle connections from busy ones. Strangers open
 * them, and each takes about 60 kB. When there is one too many, the home with most connections loses one.
 */
export class Connections {
  readonly #most: number
  readonly #crowded: () => void
  readonly #open = new Map<string, Connection>()
  /** The connections of each home. The one that was used last is at the end. */
  readonly #homes = new Map<string, Set<Connection>>()
  /** By the socket on which HTTP is spoken: the accepted one, or the TLS inside it. */
  readonly #serving = new WeakMap<Duplex, Connection>()

  /** @param crowded called when one is cut because there are too many */
  constructor(most: number, crowded: () => void) {
    this.#most = most
    this.#crowded = crowded
  }

  /** All open connections, idle ones included. */
  get count(): number {
    return this.#open.size
  }

  /** A TCP connection was accepted. */
  opened(socket: Socket): void {
    const [peer, home] = [peerOf(socket), homeOf(socket.remoteAddress ?? '')]
    const connection = { socket, peer, home, answer: undefined }
    const ofHome = this.#homes.get(home) ?? new Set()
    this.#homes.set(home, ofHome.add(connection))
    this.#open.set(peer, connection)
    socket.once('close', () => this.#remove(connection))
    if (this.#open.size > this.#most) this.#cutOne(connection)
  }

  /** HTTP begins on a connection: on the accepted one, or on the TLS inside it. */
  serving(socket: Socket): void {
    const connection = this.#open.get(peerOf(socket))
    if (connection !== undefined) this.#serving.set(socket, connection)
  }

  began(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#serving.get(request.socket)
    if (connection === undefined) return
    connection.answer = response
    const ofHome = this.#homes.get(connection.home)
    if (ofHome?.delete(connection) === true) ofHome.add(connection)
  }

  /** The unfinished answer of a connection, if any. */
  answering(socket: Duplex): ServerResponse | undefined {
    const connection = this.#serving.get(socket)
    return connection && unfinished(connection)
  }

  /** Ends busy connections with the answer that is under way. */
  endWithAnswers(): void {
    for (const connection of this.#open.values()) {
      const answer = unfinished(connection)
      if (answer !== undefined && !answer.headersSent) answer.setHeader('connection', 'close')
    }
  }

  /** Cuts connections without an answer under way: silent, in a handshake, kept alive, or never used. */
  cutIdle(): void {
    for (const connection of this.#open.values()) if (unfinished(connection) === undefined) connection.socket.destroy()
  }

  cutAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy()
  }

  /**
   * Cuts a connection of the home that has most: the one that was used longest ago and is not being answered, which may be
   * the new one. If all are being answered, cuts the oldest, so that somebody else comes in.
   */
  #cutOne(opened: Connection): void {
    let most: ReadonlySet<Connection> = new Set()
    for (const ofHome of this.#homes.values()) if (ofHome.size > most.size) most = ofHome
    const [first = opened] = most
    const cut = most.values().find((connection) => unfinished(connection) === undefined) ?? first
    this.#remove(cut)
    cut.socket.destroy()
    this.#crowded()
  }

  #remove(connection: Connection): void {
    if (this.#open.get(connection.peer) === connection) this.#open.delete(connection.peer)
    const ofHome = this.#homes.get(connection.home)
    ofHome?.delete(connection)
    if (ofHome?.size === 0) this.#homes.delete(connection.home)
  }
}

function unfinished({ answer }: Connection): ServerResponse | undefined {
  return answer === undefined || answer.writableFinished || answer.closed ? undefined : answer
}

/** The same for a TLS connection and the TCP connection under it. */
function peerOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`
}
