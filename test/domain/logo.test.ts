import { describe, expect, it } from 'vitest'
import { max_logo_bytes, recogniseLogo } from '../../src/domain/logo.ts'
import { logoFile, pngChunk, pngOf } from '../support/logos.ts'

const png = pngOf(48, 24)

describe('a logo is recognised by its bytes', () => {
  it.each([
    ['PNG', png, 'image/png'],
    ['JPEG', logoFile.jpeg, 'image/jpeg'],
    ['WebP, lossy', logoFile.lossy, 'image/webp'],
    ['WebP, lossless', logoFile.lossless, 'image/webp'],
    ['WebP, extended', logoFile.extended, 'image/webp'],
  ])('%s, with its size', (_, bytes, media_type) => {
    expect(recogniseLogo(bytes)).toEqual({ media_type, width_px: 48, height_px: 24 })
  })

  it('even if they are part of a larger buffer', () => {
    const larger = Buffer.concat([Buffer.alloc(7, 0xff), logoFile.lossy])
    expect(recogniseLogo(larger.subarray(7))).toMatchObject({ width_px: 48, height_px: 24 })
  })

  it('a JPEG may have fill bytes before markers, and an embedded image before its own', () => {
    const [start, rest] = [logoFile.jpeg.subarray(0, 2), logoFile.jpeg.subarray(2)]
    const thumbnail = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 10]), Buffer.from('ffc0ffd9ffd90000', 'hex')])
    const filled = Buffer.concat([start, thumbnail, Buffer.from([0xff, 0xff]), rest])
    expect(recogniseLogo(filled)).toMatchObject({ media_type: 'image/jpeg', width_px: 48, height_px: 24 })
  })
})

describe('a file is refused', () => {
  const header = png.subarray(0, 33)
  const end = png.subarray(-12)
  const size = (width: number, height: number) => recogniseLogo(pngOf(width, height))

  it.each([
    ['empty', Buffer.alloc(0), 'empty'],
    ['over 128 KiB', Buffer.concat([png, Buffer.alloc(max_logo_bytes)]), 'too_large'],
    [
      'SVG',
      Buffer.from('<?xml version="1.0"?>\n<!-- a logo -->\n<SVG xmlns="http://www.w3.org/2000/svg"></SVG>'),
      'svg',
    ],
    ['GIF', Buffer.from('GIF89a\x30\x00\x18\x00\x00\x00\x00;', 'latin1'), 'unknown'],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), 'unknown'],
    [
      'a RIFF that is no WebP',
      Buffer.concat([Buffer.from('RIFF\x20\0\0\0WAVE', 'latin1'), Buffer.alloc(32)]),
      'unknown',
    ],
    ['a PNG without a picture', Buffer.concat([header, end]), 'broken'],
    ['a PNG without a header', Buffer.concat([png.subarray(0, 8), png.subarray(33)]), 'broken'],
    ['a PNG with two headers', Buffer.concat([header, png.subarray(8)]), 'broken'],
    [
      'a PNG whose header is short',
      Buffer.concat([png.subarray(0, 8), pngChunk('IHDR', Buffer.alloc(9)), png.subarray(33)]),
      'broken',
    ],
    ['a WebP of an unknown kind', replaced(logoFile.lossy, 12, 'VP8Z'), 'broken'],
    ['a lossy WebP without its start code', replaced(logoFile.lossy, 23, '\0\0\0'), 'broken'],
    ['a lossless WebP without its signature', replaced(logoFile.lossless, 20, '\0'), 'broken'],
    ['a JPEG whose segments are lost', replaced(logoFile.jpeg, 20, '\0'), 'broken'],
  ])('%s', (_, bytes, reason) => {
    expect(recogniseLogo(bytes)).toBe(reason)
  })

  it.each([
    [15, 15, 'too_small'],
    [40, 15, 'too_small'],
    [2_049, 300, 'too_wide'],
    [300, 2_049, 'too_wide'],
    [170, 16, 'out_of_shape'],
    [16, 170, 'out_of_shape'],
  ])('%d × %d pixels: %s', (width, height, reason) => {
    expect(size(width, height)).toBe(reason)
  })

  it.each([
    [16, 16],
    [160, 16],
    [2_048, 2_048],
  ])('but %d × %d pixels are taken', (width_px, height_px) => {
    expect(size(width_px, height_px)).toEqual({ media_type: 'image/png', width_px, height_px })
  })
})

describe('a truncated file', () => {
  it.each([
    ['PNG', png],
    ['JPEG', logoFile.jpeg],
    ['lossy WebP', logoFile.lossy],
    ['lossless WebP', logoFile.lossless],
    ['extended WebP', logoFile.extended],
  ])('%s: is refused wherever the cut is', (_, bytes) => {
    for (let length = 0; length < bytes.length; length++) {
      const found = recogniseLogo(bytes.subarray(0, length))
      expect(typeof found, `${length} of ${bytes.length} bytes`).toBe('string')
    }
  })
})

function replaced(bytes: Buffer, at: number, text: string): Buffer {
  const changed = Buffer.from(bytes)
  changed.write(text, at, 'latin1')
  return changed
}
