import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { compressText } from '../../lib/compress.ts'
import { success } from '../api/responses.ts'
import { setCookieHeader } from '../pages/cookies.ts'
import { pageHeaders } from '../pages/frame.ts'
import type { Cookie, Page } from '../pages/page.ts'

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

/** A page for a frame of the dashboard. */
export class PageAnswer {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }
}

/** Sends what a handler gave. */
export function sendAnswer(reply: FastifyReply, result: object): FastifyReply {
  if (result instanceof Download) return sendDownload(reply, result)
  if (result instanceof PageAnswer) return sendPage(reply, result.page)
  if (!(result instanceof DashboardAnswer)) return sendJson(reply, success(result))
  if (result.cookies.length > 0) reply.header('set-cookie', result.cookies.map(setCookieHeader))
  return sendJson(reply, success(result.data, {}, result.beside))
}

/**
 * Compression is safe here: a request from another site never carries the session's cookie, so nobody can measure answers.
 */
function sendJson(reply: FastifyReply, body: object): FastifyReply {
  const text = JSON.stringify(body)
  const compressed = compressText(text, reply.request.headers['accept-encoding'])
  reply.type('application/json; charset=utf-8').header('vary', 'Accept-Encoding')
  return compressed === undefined ? reply.send(text) : reply.headers(compressed.headers).send(compressed.body)
}

function sendDownload(reply: FastifyReply, { filename, type, chunks }: Download): FastifyReply {
  return reply
    .type(type)
    .header('content-disposition', `attachment; filename="${filename.replaceAll(/[^\w.-]/g, '_')}"`)
    .send(Readable.from(chunks, { objectMode: false }))
}

/** Only the dashboard may frame it: an old browser reads the one header, a new one the other. */
function sendPage(reply: FastifyReply, { status, headers, body }: Page): FastifyReply {
  return reply
    .code(status)
    .headers({ ...pageHeaders, 'x-frame-options': 'SAMEORIGIN', ...headers })
    .send(body)
}
