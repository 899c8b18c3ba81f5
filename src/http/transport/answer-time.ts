import type { FastifyInstance } from 'fastify'

/**
 * Cuts a connection whose client does not take an answer, or the next piece of a file, within `answer_ms`. Until then it
 * fills our memory and the kernel's, megabytes for each connection. Node sees no progress within a piece. It sets the time
 * of an idle connection itself once the answer has left.
 */
export function installAnswerTime(app: FastifyInstance, answer_ms: number): void {
  app.addHook('onSend', ({ raw }, _reply, answer, done) => {
    raw.socket.setTimeout(answer_ms)
    done(null, answer)
  })
}
