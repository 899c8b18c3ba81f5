import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { mebibyte } from '../../lib/sizes.ts'

/** How much of a large file goes to a connection at a time. */
export const piece_bytes = mebibyte / 32

/**
 * Sends large files piece by piece, each once the client has taken the one before. All answers share the bytes of a file; but
 * given as a whole, each connection gets an encrypted copy of all of it, which waits for as long as its client reads nothing.
 */
export function installPieces(app: FastifyInstance): void {
  app.addHook('onSend', ({ method }, reply, answer, done) => {
    if (!Buffer.isBuffer(answer) || answer.length <= 2 * piece_bytes || method === 'HEAD') return done(null, answer)
    reply.header('content-length', answer.length)
    done(null, Readable.from(piecesOf(answer), { objectMode: false, highWaterMark: piece_bytes }))
  })
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += piece_bytes) yield bytes.subarray(at, at + piece_bytes)
}
