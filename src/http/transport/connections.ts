import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Keeps track of connections and their answers, so that a stop can tell idle connections from busy ones. */
export class Connections {
  readonly #open = new Set<Socket>()
  /** The latest answer on each connection. */
  readonly #answers = new WeakMap<Duplex, ServerResponse>()
  readonly #serving = new Set<Socket>()

  /** All open connections, idle ones included. */
  get count(): number {
    return this.#open.size
  }

  /** A TCP connection was accepted. */
  opened(socket: Socket): void {
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
  }

  /** HTTP begins on a connection: on the accepted one, or on the TLS inside it. */
  serving(socket: Socket): void {
    this.#serving.add(socket)
    socket.once('close', () => this.#serving.delete(socket))
  }

  began(request: IncomingMessage, response: ServerResponse): void {
    this.#answers.set(request.socket, response)
  }

  /** The unfinished answer of a connection, if any. */
  answering(socket: Duplex): ServerResponse | undefined {
    const response = this.#answers.get(socket)
    return response === undefined || response.writableFinished || response.closed ? undefined : response
  }

  /** Ends busy connections with the answer that is under way. */
  endWithAnswers(): void {
    for (const socket of this.#serving) {
      const answer = this.answering(socket)
      if (answer !== undefined && !answer.headersSent) answer.setHeader('connection', 'close')
    }
  }

  /** Cuts connections without an answer under way: silent, in a handshake, kept alive, or never used. */
  cutIdle(): void {
    const busy = new Set<string>()
    for (const socket of this.#serving) if (this.answering(socket) !== undefined) busy.add(peerOf(socket))
    for (const socket of this.#open) if (!busy.has(peerOf(socket))) socket.destroy()
  }

  cutAll(): void {
    for (const socket of this.#open) socket.destroy()
  }
}

/** The same for a TLS connection and the TCP connection under it. */
function peerOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`
}
