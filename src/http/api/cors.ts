import type { FastifyReply } from 'fastify'

/** Decisions §4: checkout is called from browsers of any origin, and they may read its errors too. */

export const anyOriginHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'X-Request-Id, Retry-After, Idempotency-Replayed',
} as const

const preflightHeaders = {
  'access-control-allow-headers': 'Content-Type, Accept, Accept-Language, Idempotency-Key',
  'access-control-max-age': '7200',
} as const

export function allowAnyOrigin(reply: FastifyReply): void {
  reply.headers(anyOriginHeaders)
}

/** Answers a preflight. No credentials are ever allowed: the public key is in the path. */
export function answerPreflight(reply: FastifyReply, methods: readonly string[]): FastifyReply {
  return reply
    .headers({ ...anyOriginHeaders, ...preflightHeaders, 'access-control-allow-methods': methods.join(', ') })
    .code(204)
    .send()
}
