import { createHash, type Hash } from 'node:crypto'
import { promisify } from 'node:util'
import { crc32, zstdDecompress } from 'node:zlib'
import { CliError } from '../../lib/errors.ts'
import {
  type BackupHeader,
  checksum_at,
  chunk_bytes,
  length_at,
  letters,
  magic,
  max_part_bytes,
  type Part,
  parts_ahead,
  prefix_bytes,
  type RowFormat,
  readable,
  seal_letter,
} from './format.ts'

const expand = promisify(zstdDecompress)

/** A backup that is being read: its header, then its parts in order. */
export interface OpenBackup {
  readonly header: BackupHeader
  /** Of its rows. */
  readonly format: RowFormat
  /** The parts after the header. Ends only after the seal was compared; throws CliError where the file is damaged. */
  readonly parts: AsyncGenerator<Part, void>
  /** The bytes read so far, and their SHA-256. */
  progress(): { readonly bytes: number; readonly sha256: string }
}

/**
 * Reads the header of a backup.
 * @throws CliError if the bytes are no backup, or one of a later format
 */
export async function openBackup(bytes: AsyncIterable<Buffer>): Promise<OpenBackup> {
  const source = new Source(bytes)
  const format = await rowFormat(source)
  const parts = expanded(frames(source))
  const first = await parts.next()
  if (first.done === true || first.value.kind !== 'header') throw damaged('it does not begin with a header')
  return { header: first.value.header, format, parts, progress: () => source.progress() }
}

/**
 * Reads a whole backup and compares its seal, without expanding its rows.
 * @throws CliError if it is damaged or incomplete
 */
export async function checkSeal(bytes: AsyncIterable<Buffer>): Promise<void> {
  const source = new Source(bytes)
  await rowFormat(source)
  for await (const { letter } of frames(source)) if (!known.has(letter)) throw damaged(`it has a part ${letter}`)
}

const known = new Set<string>(Object.values(letters))

/** Reads the first bytes of a backup, which say how its rows are written. */
async function rowFormat(source: Source): Promise<RowFormat> {
  const start = await source.take(magic.length)
  const found = readable.find((one) => start?.equals(one.magic) === true)
  if (found !== undefined) return found.format
  throw new CliError(
    start?.subarray(0, 12).equals(magic.subarray(0, 12)) === true
      ? 'This backup was made by a later version of Nuqta, in another format: restore it with that one.'
      : 'This file is no backup of Nuqta.',
  )
}

function damaged(how: string): CliError {
  return new CliError(`The backup is damaged or incomplete (${how}): use another one.`)
}

interface Frame {
  readonly letter: string
  readonly content: Buffer
}

/** The parts as they are in the file, up to the seal, which must be the last and right. */
async function* frames(source: Source): AsyncGenerator<Frame, void> {
  let ended = false
  for (;;) {
    const sum = source.sum()
    const prefix = await source.take(prefix_bytes)
    if (prefix === undefined) throw damaged('its end is missing')
    const letter = prefix.toString('latin1', 0, 1)
    const length = prefix.readUInt32BE(length_at)
    if (length > max_part_bytes) throw damaged('a part is too long')
    const content = await source.take(length)
    if (content === undefined) throw damaged('its end is missing')
    if (crc32(content) !== prefix.readUInt32BE(checksum_at)) throw damaged('a part has changed')
    if (letter === seal_letter) {
      if (!ended || !sum.equals(content)) throw damaged('its checksum differs')
      if ((await source.take(1)) !== undefined) throw damaged('something follows its end')
      return
    }
    ended = letter === letters.end
    yield { letter, content }
  }
}

/** Expands a few parts at the same time, and gives them in order. */
async function* expanded(all: AsyncGenerator<Frame, void>): AsyncGenerator<Part, void> {
  const pending: Promise<Part>[] = []
  for await (const frame of all) {
    const part = partOf(frame)
    // Its turn comes later: a failure until then is not unhandled.
    part.catch(() => undefined)
    pending.push(part)
    // The header is needed before anything else is read.
    while (pending.length > (frame.letter === letters.header ? 0 : parts_ahead)) yield await next(pending)
  }
  while (pending.length > 0) yield await next(pending)
}

async function next(pending: Promise<Part>[]): Promise<Part> {
  const part = await pending.shift()
  if (part === undefined) throw new Error('nothing is pending')
  return part
}

/** In one piece: pieces of 16 KiB, the default, put together again take twice the time. */
const whole = { maxOutputLength: chunk_bytes, chunkSize: chunk_bytes }

async function partOf({ letter, content }: Frame): Promise<Part> {
  try {
    if (letter === letters.rows) return { kind: 'rows', data: await expand(content, whole) }
    const value = JSON.parse(content.toString('utf8'))
    if (letter === letters.header) return { kind: 'header', header: value }
    if (letter === letters.table) return { kind: 'table', table: value.table, columns: value.columns }
    if (letter === letters['table end']) return { kind: 'table end', rows: value.rows }
    if (letter === letters.end) return { kind: 'end', tables: value.tables, rows: value.rows }
  } catch {
    throw damaged('a part cannot be read')
  }
  throw damaged(`it has a part ${letter}`)
}

/** Takes exact numbers of bytes from a stream, and adds them up. */
class Source {
  readonly #chunks: AsyncIterator<Buffer>
  readonly #hash: Hash = createHash('sha256')
  #rest: Buffer = Buffer.alloc(0)
  #bytes = 0

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#chunks = bytes[Symbol.asyncIterator]()
  }

  /** The next bytes; undefined if fewer are left. */
  async take(length: number): Promise<Buffer | undefined> {
    const parts = [this.#rest]
    let held = this.#rest.length
    while (held < length) {
      const chunk = await this.#chunks.next()
      if (chunk.done === true) return undefined
      parts.push(chunk.value)
      held += chunk.value.length
    }
    const whole = parts.length === 1 ? this.#rest : Buffer.concat(parts, held)
    this.#rest = whole.subarray(length)
    const taken = whole.subarray(0, length)
    this.#hash.update(taken)
    this.#bytes += length
    return taken
  }

  /** The SHA-256 of the bytes taken so far. */
  sum(): Buffer {
    return this.#hash.copy().digest()
  }

  progress(): { readonly bytes: number; readonly sha256: string } {
    return { bytes: this.#bytes, sha256: this.sum().toString('hex') }
  }
}
