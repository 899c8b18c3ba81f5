import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { crc32, zstdCompress } from 'node:zlib'
import {
  type BackupSums,
  checksum_at,
  chunk_bytes,
  length_at,
  letters,
  magic,
  type Part,
  parts_ahead,
  prefix_bytes,
  seal_letter,
} from './format.ts'

const compress = promisify(zstdCompress)

/** Where a backup goes. `write` resolves when it can take more. */
export interface Sink {
  write(bytes: Buffer): Promise<void>
}

/** Writes a backup part by part. Memory is bounded: a slow sink holds up the caller. */
export class BackupWriter {
  readonly #sink: Sink
  readonly #hash = createHash('sha256')
  /** Parts being compressed, in the order in which they are written. */
  readonly #pending: Promise<Buffer>[] = []
  /** Rows that do not fill a part yet. */
  #rows: Buffer[] = []
  #rows_bytes = 0
  #tables = 0
  #all_rows = 0
  #bytes = 0

  constructor(sink: Sink) {
    this.#sink = sink
  }

  /** The bytes written so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds a part. The rows of a table come between its `table` and its `table end`, cut anywhere. */
  async add(part: Part): Promise<void> {
    if (part.kind === 'header') return this.#emit(magic).then(() => this.#queue('header', part.header))
    if (part.kind === 'rows') return this.#addRows(part.data)
    await this.#flushRows()
    const { kind, ...content } = part
    if (part.kind === 'table end') {
      this.#tables += 1
      this.#all_rows += part.rows
    }
    await this.#queue(kind, content)
  }

  /** Adds the sums and the seal; gives what was written. */
  async end(): Promise<BackupSums> {
    const sums = { tables: this.#tables, rows: this.#all_rows }
    await this.add({ kind: 'end', ...sums })
    while (this.#pending.length > 0) await this.#writeNext()
    const seal = this.#hash.copy().digest()
    await this.#emit(framed(seal_letter, seal))
    return { ...sums, bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }

  async #addRows(data: Buffer): Promise<void> {
    this.#rows.push(data)
    this.#rows_bytes += data.length
    if (this.#rows_bytes >= chunk_bytes) await this.#flushRows()
  }

  async #flushRows(): Promise<void> {
    if (this.#rows_bytes === 0) return
    const whole = Buffer.concat(this.#rows)
    this.#rows = []
    this.#rows_bytes = 0
    for (let at = 0; at < whole.length; at += chunk_bytes)
      await this.#push(compress(whole.subarray(at, at + chunk_bytes)).then((data) => framed(letters.rows, data)))
  }

  #queue(kind: Exclude<Part['kind'], 'rows'>, content: object): Promise<void> {
    return this.#push(Promise.resolve(framed(letters[kind], Buffer.from(JSON.stringify(content)))))
  }

  async #push(part: Promise<Buffer>): Promise<void> {
    // Its turn comes later: a failure until then is not unhandled.
    part.catch(() => undefined)
    this.#pending.push(part)
    if (this.#pending.length > parts_ahead) await this.#writeNext()
  }

  async #writeNext(): Promise<void> {
    const next = await this.#pending.shift()
    if (next !== undefined) await this.#emit(next)
  }

  async #emit(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes)
    this.#bytes += bytes.length
    await this.#sink.write(bytes)
  }
}

function framed(letter: string, content: Buffer): Buffer {
  const frame = Buffer.alloc(prefix_bytes + content.length)
  frame.write(letter, 0, 'latin1')
  frame.writeUInt32BE(content.length, length_at)
  frame.writeUInt32BE(crc32(content), checksum_at)
  content.copy(frame, prefix_bytes)
  return frame
}
