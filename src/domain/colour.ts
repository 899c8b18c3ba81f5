/**
 * A merchant's colour on our pages. Any colour is accepted. Surfaces keep it as it is, with black or white words on it;
 * where it is text or the edge of a control, it is made lighter or darker until it has the contrast that WCAG 2.2 asks
 * for (1.4.3 for text, 1.4.11 for the parts of controls).
 */

/** `#rrggbb` in lower case. */
export type Colour = string & { readonly __unit: 'colour' }

/** The minimum contrast of text (WCAG 2.2, 1.4.3). */
export const text_contrast = 4.5

/** The minimum contrast of the parts of a control (WCAG 2.2, 1.4.11). */
export const part_contrast = 3

const black = '#000000' as Colour
const white = '#ffffff' as Colour

/** Takes `#rgb` or `#rrggbb` in either case; gives the colour, or null for anything else. */
export function parseColour(text: string): Colour | null {
  const [, digits = ''] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(text.trim().toLowerCase()) ?? []
  if (digits === '') return null
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}` as Colour
}

/** Gives the contrast ratio of two colours in either order, from 1 (equal) to 21 (black and white). WCAG 2.2. */
export function contrastRatio(one: Colour, other: Colour): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** Gives the lowest contrast of a colour with any of `surfaces`, which must not be empty. */
export function leastContrast(colour: Colour, surfaces: readonly Colour[]): number {
  return Math.min(...surfaces.map((surface) => contrastRatio(colour, surface)))
}

/** Gives black or white, whichever has more contrast on `colour`: at least 4.58. */
export function inkOn(colour: Colour): Colour {
  return contrastRatio(colour, white) >= contrastRatio(colour, black) ? white : black
}

/**
 * Gives the colour itself if it has the contrast `minimum` with every surface, else the nearest lightness of the same
 * hue and saturation that has. If none has (light and dark surfaces together), gives black or white, whichever is
 * closer.
 */
export function readableOn(colour: Colour, surfaces: readonly Colour[], minimum: number): Colour {
  const isReadable = (candidate: Colour): boolean => leastContrast(candidate, surfaces) >= minimum
  if (isReadable(colour)) return colour
  const { hue, saturation, lightness } = hslOf(colour)
  const end = leastContrast(black, surfaces) >= leastContrast(white, surfaces) ? 0 : 1
  const at = (step: number): Colour =>
    fromHsl({ hue, saturation, lightness: lightness + ((end - lightness) * step) / lightness_steps })
  // Contrast grows towards the end, so a binary search finds the first readable step.
  let [unreadable, readable] = [0, lightness_steps]
  while (readable - unreadable > 1) {
    const middle = Math.floor((unreadable + readable) / 2)
    if (isReadable(at(middle))) readable = middle
    else unreadable = middle
  }
  return at(readable)
}

/** The background colours of our pages in light or dark mode. */
export type Surfaces = readonly [Colour, ...Colour[]]

/** A merchant's colour in light or dark mode. */
export interface ModeColours {
  /** Text and links, on any surface: 4.5:1. */
  readonly accent: Colour
  /** Marks, and the edges of buttons and choices, on any surface: 3:1. */
  readonly edge: Colour
  /** Buttons and other surfaces: the merchant's own colour. */
  readonly fill: Colour
  /** Text on `fill`: black or white. */
  readonly ink: Colour
}

/** The background colours of our pages in both modes, equal to those in `src/pages/design/tokens.css`. */
export const pageSurfaces: Readonly<Record<'light' | 'dark', Surfaces>> = {
  light: ['#ffffff' as Colour, '#f3f5f2' as Colour, '#e9efeb' as Colour],
  dark: ['#1a201d' as Colour, '#111513' as Colour, '#222b27' as Colour],
}

/** Takes a merchant's colour and the surfaces of a mode; gives the readable colours for it. */
export function modeColours(colour: Colour, surfaces: Surfaces): ModeColours {
  const accent = readableOn(colour, surfaces, text_contrast)
  return { accent, edge: readableOn(colour, surfaces, part_contrast), fill: colour, ink: inkOn(colour) }
}

const lightness_steps = 1_024

/** Each from 0 to 1. */
type Rgb = readonly [red: number, green: number, blue: number]

function rgbOf(colour: Colour): Rgb {
  const value = Number.parseInt(colour.slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 0xff) / 255, (value & 0xff) / 255]
}

/** WCAG 2.2, "relative luminance". */
function luminance(colour: Colour): number {
  const [red, green, blue] = rgbOf(colour).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Hue in sixths of a turn, the others from 0 to 1. */
interface Hsl {
  readonly hue: number
  readonly saturation: number
  readonly lightness: number
}

function hslOf(colour: Colour): Hsl {
  const [red, green, blue] = rgbOf(colour)
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const [lightness, chroma] = [(most + least) / 2, most - least]
  if (chroma === 0) return { hue: 0, saturation: 0, lightness }
  const hue =
    most === red ? (green - blue) / chroma : most === green ? (blue - red) / chroma + 2 : (red - green) / chroma + 4
  return { hue: (hue + 6) % 6, saturation: chroma / (1 - Math.abs(2 * lightness - 1)), lightness }
}

function fromHsl({ hue, saturation, lightness }: Hsl): Colour {
  const chroma = (1 - Math.abs(2 * lightness - 1)) * saturation
  const part = (offset: number): string => {
    const distance = Math.abs(((hue - offset + 6) % 6) - 3) // 3 at the part's own hue
    const value = lightness + chroma * (Math.min(Math.max(distance - 1, 0), 1) - 0.5)
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${part(0)}${part(2)}${part(4)}` as Colour
}
