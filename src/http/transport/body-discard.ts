import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** How much of a refused body is read before its connection rests: 1.3 MB a second. */
export const portion_bytes = 65_536
const rest_ms = 50

/** How long the rest of a refused body may keep arriving before the connection is cut. */
export const linger_ms = 5_000

/** Calls `next` after a rest. */
export type Rest = (next: () => void) => void

const rest: Rest = (next) => void setTimeout(next, rest_ms).unref()

/** Reads what is left of a large body after its answer slowly. docs/decisions/0018-bodies.md */
export function installBodyDiscard(app: FastifyInstance): void {
  app.addHook('onSend', (request, _reply, answer, done) => {
    discardBody(request.raw)
    done(null, answer)
  })
}

/**
 * Reads a body that nobody needs in portions, each followed by a rest. Node.js alone would read as fast as clients send:
 * the garbage of 20 clients that send a megabyte each delayed everybody else. Call it before the answer is sent.
 */
export function discardBody(request: IncomingMessage, restBeforeNext: Rest = rest): void {
  if (request.complete || request.destroyed) return
  closeAfter(request)
  const declared = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (declared <= portion_bytes) return
  let read_bytes = 0
  request.on('data', (chunk: Buffer) => {
    read_bytes += chunk.length
    if (read_bytes < portion_bytes) return
    read_bytes = 0
    request.pause()
    restBeforeNext(() => request.resume())
  })
}

/**
 * If the answer ends the connection, closes it once the rest of the body has come. Node.js alone closes it after the
 * answer: a client that is still sending gets a reset, and never reads why it was refused.
 */
function closeAfter(request: IncomingMessage): void {
  const { socket } = request
  socket.destroySoon = () => {
    Reflect.deleteProperty(socket, 'destroySoon')
    socket.end()
    if (request.complete || request.destroyed) socket.destroySoon()
    else {
      const timer = setTimeout(() => socket.destroy(), linger_ms).unref()
      finished(request, () => {
        clearTimeout(timer)
        socket.destroySoon()
      })
    }
  }
}
