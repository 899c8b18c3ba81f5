/** Validates a merchant's logo by its bytes alone; file name and declared media type do not count. */

export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp'

/** 128 KiB. */
export const max_logo_bytes = 131_072

/** Bounds of the sides of a logo, in pixels. A larger one costs a phone too much memory. */
export const logo_side_px = { min: 16, max: 2_048 } as const

/** The largest ratio of the sides: a word mark is long, a stripe is a mistake. */
export const max_logo_ratio = 10

export interface LogoShape {
  readonly media_type: LogoType
  readonly width_px: number
  readonly height_px: number
}

/** Why a file is refused. SVG is refused because it can contain scripts. */
export type LogoRefusal =
  | 'empty'
  | 'too_large'
  | 'svg'
  | 'unknown'
  | 'broken'
  | 'too_small'
  | 'too_wide'
  | 'out_of_shape'

/** Takes the bytes of a file; gives its type and size in pixels, or why it is refused. */
export function recogniseLogo(bytes: Uint8Array): LogoShape | LogoRefusal {
  if (bytes.length === 0) return 'empty'
  if (bytes.length > max_logo_bytes) return 'too_large'
  const reader = readers.find(({ begins }) => begins(bytes))
  if (reader === undefined) return isSvg(bytes) ? 'svg' : 'unknown'
  const size = reader.size(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (size === null) return 'broken'
  const [least, most] = [Math.min(...size), Math.max(...size)]
  if (least < logo_side_px.min) return 'too_small'
  if (most > logo_side_px.max) return 'too_wide'
  if (most > least * max_logo_ratio) return 'out_of_shape'
  return { media_type: reader.media_type, width_px: size[0], height_px: size[1] }
}

/** Width and height; null if the file is truncated or malformed. */
type Size = readonly [width: number, height: number] | null

interface Reader {
  readonly media_type: LogoType
  readonly begins: (bytes: Uint8Array) => boolean
  readonly size: (view: DataView) => Size
}

const readers: readonly Reader[] = [
  { media_type: 'image/png', begins: (bytes) => textAt(bytes, 0, 8) === '\x89PNG\r\n\x1a\n', size: pngSize },
  { media_type: 'image/jpeg', begins: (bytes) => textAt(bytes, 0, 3) === '\xff\xd8\xff', size: jpegSize },
  {
    media_type: 'image/webp',
    begins: (bytes) => textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP',
    size: webpSize,
  },
]

/** PNG (ISO/IEC 15948): chunks of length, type, data and checksum. IHDR comes first, IEND last, IDAT between. */
function pngSize(view: DataView): Size {
  let size: Size = null
  let pictured = false
  for (let at = 8; at + 12 <= view.byteLength; ) {
    const length = view.getUint32(at)
    const type = textIn(view, at + 4, 4)
    if (at + 12 + length > view.byteLength || (at === 8) !== (type === 'IHDR')) return null
    if (type === 'IHDR') size = length === 13 ? [view.getUint32(at + 8), view.getUint32(at + 12)] : null
    if (type === 'IDAT') pictured = true
    if (type === 'IEND') return pictured ? size : null
    at += 12 + length
  }
  return null
}

/** JPEG (ITU T.81): segments, each with a marker and a length. The frame header has the size; scan and end follow. */
function jpegSize(view: DataView): Size {
  let size: Size = null
  for (let at = 2; at + 4 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1 // fill byte: any number of them may precede a marker
      continue
    }
    const length = view.getUint16(at + 2)
    if (length < 2 || at + 2 + length > view.byteLength) return null
    if (isFrame(marker) && length >= 8) size = [view.getUint16(at + 7), view.getUint16(at + 5)]
    if (marker === 0xda) return hasEnd(view, at + 2 + length) ? size : null
    at += 2 + length
  }
  return null
}

/** SOF0 to SOF15, except for the three markers in this range with another meaning. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function hasEnd(view: DataView, from: number): boolean {
  for (let at = view.byteLength - 2; at >= from; at--) if (view.getUint16(at) === 0xffd9) return true
  return false
}

/** WebP (RFC 9649): a RIFF container of the declared size, whose first chunk is of one of three kinds. */
function webpSize(view: DataView): Size {
  if (view.byteLength < 30 || view.getUint32(4, true) + 8 > view.byteLength) return null
  const kind = textIn(view, 12, 4)
  if (kind === 'VP8 ') {
    if (textIn(view, 23, 3) !== '\x9d\x01\x2a') return null
    return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]
  }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true)
    return view.getUint8(20) === 0x2f ? [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1] : null
  }
  if (kind !== 'VP8X') return null
  return [(view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1]
}

function isSvg(bytes: Uint8Array): boolean {
  return /<svg[\s>]/i.test(textAt(bytes, 0, 4_096))
}

/** Decodes bytes as one character each, up to the end of the file. */
function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

function textIn(view: DataView, at: number, length: number): string {
  return textAt(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), at, length)
}
