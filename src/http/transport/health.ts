import type { FastifyReply, FastifyRequest } from 'fastify'
import { success } from '../api/envelope.ts'
import { replyFailure } from '../api/failing.ts'

export interface HealthRoute {
  readonly path: string
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<object>
}

interface HealthDeps {
  readonly deps: { ready(): Promise<boolean> }
  readonly isStopping: () => boolean
}

/** `/healthz`: the process lives. `/readyz`: it can serve, which it cannot while the database is away or it is stopping. */
export function healthRoutes({ deps, isStopping }: HealthDeps): HealthRoute[] {
  return [
    { path: '/healthz', answer: async () => success({ healthy: true }) },
    {
      path: '/readyz',
      answer: async (request, reply) => {
        if (isStopping()) return replyFailure(request, reply, { kind: 'stopping' })
        const ready = await deps.ready().catch(() => false)
        return ready ? success({ ready: true }) : replyFailure(request, reply, { kind: 'database_unavailable' })
      },
    },
  ]
}
