import { randomBytes, randomInt } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Compression of answers that are made for one reader. Files are compressed once, where they are made. */

export type ContentEncoding = 'br' | 'gzip'

/** The encoding to answer in, by `Accept-Encoding`. */
export function acceptedEncoding(header: string | readonly string[] | undefined): ContentEncoding | undefined {
  const accepted = String(header ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';', 1)[0])
  return accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : undefined
}

/** Shorter answers fit into the first packet anyway. */
const least_bytes = 1_024
/** As small as level 6 of gzip, in half of its time. */
const quality = 4

export interface Compressed {
  readonly body: Buffer
  readonly headers: { readonly 'content-encoding': ContentEncoding }
}

/** Compresses a text as its reader accepts it; undefined for a short text and for a reader who accepts neither. */
export function compressText(text: string, accept: string | readonly string[] | undefined): Compressed | undefined {
  const encoding = text.length < least_bytes ? undefined : acceptedEncoding(accept)
  if (encoding === undefined) return undefined
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
  const body = encoding === 'br' ? brotliCompressSync(text, { params }) : gzipSync(text, { level: quality })
  return { body, headers: { 'content-encoding': encoding } }
}

const most_padding_bytes = 48

/**
 * A comment of random length. It keeps an observer, who sees only the length of a compressed page, from learning what the
 * page holds beside words of the request. docs/decisions/0041-pages-look.md
 */
export function randomPadding(): string {
  return `<!-- ${randomBytes(randomInt(1, most_padding_bytes)).toString('base64url')} -->\n`
}
