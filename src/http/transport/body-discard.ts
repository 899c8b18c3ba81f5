import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** How much of a refused body is read before its connection rests: 1.3 MB a second. */
export const portion_bytes = 65_536
const rest_ms = 50

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
  const declared = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (request.complete || request.destroyed || declared <= portion_bytes) return
  let read_bytes = 0
  request.on('data', (chunk: Buffer) => {
    read_bytes += chunk.length
    if (read_bytes < portion_bytes) return
    read_bytes = 0
    request.pause()
    restBeforeNext(() => request.resume())
  })
}
