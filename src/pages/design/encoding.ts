import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Page, PageRequest } from '../../http/pages/page.ts'
import { acceptedEncoding, type ContentEncoding } from '../../lib/compress.ts'

/** A body that is compressed once for each encoding, when it is first asked for, and sent as often as asked for. */
export interface Encoded {
  readonly plain: Buffer
  /** Undefined for what is compressed already. */
  readonly compressed: ((encoding: ContentEncoding) => Promise<Buffer>) | undefined
}

/** `quality` is Brotli's: 11 takes a second for each megabyte, 6 a fiftieth of that. */
export function encoded(plain: Buffer, { quality = 11 }: { readonly quality?: number } = {}): Encoded {
  const made = new Map<ContentEncoding, Promise<Buffer>>()
  return {
    plain,
    compressed(encoding) {
      const body = made.get(encoding) ?? compress(plain, encoding, quality)
      made.set(encoding, body)
      return body
    },
  }
}

/** Compresses outside the event loop. */
function compress(plain: Buffer, encoding: ContentEncoding, quality: number): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(plain, { level: Math.min(quality, 9) })
  return promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}

/** Answers with the encoding that the client takes. `headers` win over those that belong to the encoding. */
export async function answerEncoded(
  body: Encoded,
  { headers: sent }: PageRequest,
  headers: Page['headers'],
): Promise<Page> {
  const encoding = body.compressed === undefined ? undefined : acceptedEncoding(sent['accept-encoding'])
  return {
    status: 200,
    body: encoding === undefined ? body.plain : ((await body.compressed?.(encoding)) ?? body.plain),
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
