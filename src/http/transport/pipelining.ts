import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * The most requests of a connection that wait for their turn. Browsers and HTTP libraries send none before the answer to the
 * last one; a client that sends more is cut.
 */
export const most_waiting = 64

/**
 * Lets each connection have one request under way. Node begins all requests that it finds in a piece of a connection,
 * thousands in 64 KiB, before it turns to any other connection.
 */
export class Pipelining {
  readonly #waiting = new WeakMap<Duplex, (() => void)[]>()

  /** Begins a request once the answers before it are over. Gives false when too many wait: cut the connection then. */
  take({ socket }: IncomingMessage, response: ServerResponse, work: () => void): boolean {
    const begin = (): void => {
      response.once('close', () => this.#next(socket))
      work()
    }
    const waiting = this.#waiting.get(socket)
    if (waiting === undefined) {
      this.#waiting.set(socket, [])
      begin()
      return true
    }
    if (waiting.length >= most_waiting) return false
    waiting.push(begin)
    return true
  }

  #next(socket: Duplex): void {
    const waiting = this.#waiting.get(socket)
    // After an answer that ends the connection, nobody reads the next one.
    const begin = socket.destroyed || socket.writableEnded ? undefined : waiting?.shift()
    if (begin === undefined) this.#waiting.delete(socket)
    else begin()
  }
}
