import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Page, PageRequest } from '../../http/pages/page.ts'
import { acceptedEncoding } from '../../http/transport/encoding.ts'

/** A body that is compressed once and sent as often as asked for. */
export interface Encoded {
  readonly plain: Buffer
  /** Undefined for what is compressed already. */
  readonly compressed: { readonly br: Buffer; readonly gzip: Buffer } | undefined
}

/** `quality` is Brotli's: 11 takes a second for each megabyte, 6 a fiftieth of that. */
export function encoded(plain: Buffer, { quality = 11 }: { readonly quality?: number } = {}): Encoded {
  const br = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
  return { plain, compressed: { br, gzip: gzipSync(plain, { level: Math.min(quality, 9) }) } }
}

/** Answers with the encoding that the client takes. `headers` win over those that belong to the encoding. */
export function answerEncoded(body: Encoded, { headers: sent }: PageRequest, headers: Page['headers']): Page {
  const encoding = body.compressed === undefined ? undefined : acceptedEncoding(sent['accept-encoding'])
  return {
    status: 200,
    body: encoding === undefined ? body.plain : (body.compressed?.[encoding] ?? body.plain),
    headers: {
      vary: 'Accept-Encoding',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      ...headers,
    },
  }
}

/** Whether the client has the version with this tag. Tags are weak, because a body comes in several encodings. */
export function isKnown({ headers }: PageRequest, etag: string): boolean {
  const known = String(headers['if-none-match'] ?? '').split(',')
  return known.some((one) => one.trim() === etag)
}
