import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'

/** Logos of 48 × 24 pixels, as Chromium has encoded them. */
export const logoFile = {
  jpeg: read('logo.jpg'),
  lossy: read('lossy.webp'),
  lossless: read('lossless.webp'),
  extended: read('extended.webp'),
} as const

/** A whole PNG, all of one colour. */
export function pngOf(width_px: number, height_px: number, grey = 0x55): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width_px, 0)
  header.writeUInt32BE(height_px, 4)
  header[8] = 8 // bits a pixel; grey, not interlaced
  const row = Buffer.alloc(width_px + 1, grey).fill(0, 0, 1) // each row begins with its filter
  const rows = Buffer.concat(Array.from({ length: height_px }, () => row))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function read(name: string): Buffer {
  return readFileSync(new URL(`logos/${name}`, import.meta.url))
}
