import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { success } from '../api/responses.ts'
import { setCookieHeader } from '../pages/cookies.ts'
import type { Cookie } from '../pages/page.ts'

/** A handler gives this instead of its `data` when it also sets cookies, or gives a page of a list. */
export class DashboardAnswer {
  readonly data: object
  readonly cookies: readonly Cookie[]
  /** Stands beside `data`: `next` of a list. */
  readonly beside: object

  constructor(data: object, { cookies = [], beside = {} }: { cookies?: readonly Cookie[]; beside?: object } = {}) {
    this.data = data
    this.cookies = cookies
    this.beside = beside
  }
}

/** A file that the browser saves, sent as it is made. */
export class Download {
  readonly filename: string
  readonly type: string
  readonly chunks: AsyncIterable<string | Buffer>

  constructor({ filename, type, chunks }: Pick<Download, 'filename' | 'type' | 'chunks'>) {
    this.filename = filename
    this.type = type
    this.chunks = chunks
  }
}

/** Sends what a handler gave. */
export function sendAnswer(reply: FastifyReply, result: object): FastifyReply {
  if (result instanceof Download) return sendDownload(reply, result)
  if (!(result instanceof DashboardAnswer)) return reply.send(success(result))
  if (result.cookies.length > 0) reply.header('set-cookie', result.cookies.map(setCookieHeader))
  return reply.send(success(result.data, {}, result.beside))
}

function sendDownload(reply: FastifyReply, { filename, type, chunks }: Download): FastifyReply {
  return reply
    .type(type)
    .header('content-disposition', `attachment; filename="${filename.replaceAll(/[^\w.-]/g, '_')}"`)
    .header('x-content-type-options', 'nosniff')
    .send(Readable.from(chunks, { objectMode: false }))
}
