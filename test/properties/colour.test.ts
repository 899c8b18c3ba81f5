import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Colour,
  contrastRatio,
  inkOn,
  leastContrast,
  modeColours,
  pageSurfaces,
  parseColour,
  part_contrast,
  readableOn,
  text_contrast,
} from '../../src/domain/colour.ts'

const runs = { numRuns: 5_000 }
const anyColour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}` as Colour)
test.each(Object.entries(pageSurfaces))('any colour is made readable on %s surfaces', (_, on) => {
  fc.assert(
    fc.property(anyColour, (colour) => {
      const { accent, edge, fill, ink } = modeColours(colour, on)
      expect(leastContrast(accent, on)).toBeGreaterThanOrEqual(text_contrast)
      expect(leastContrast(edge, on)).toBeGreaterThanOrEqual(part_contrast)
      expect(fill).toBe(colour)
      expect(contrastRatio(ink, fill)).toBeGreaterThanOrEqual(text_contrast)
      for (const made of [accent, edge, fill, ink]) expect(parseColour(made)).toBe(made)
    }),
    runs,
  )
})

test('a readable colour stays unchanged, and so does the result', () => {
  fc.assert(
    fc.property(anyColour, fc.constantFrom(...Object.values(pageSurfaces)), (colour, on) => {
      const made = readableOn(colour, on, text_contrast)
      if (leastContrast(colour, on) >= text_contrast) expect(made).toBe(colour)
      expect(readableOn(made, on, text_contrast)).toBe(made)
    }),
    runs,
  )
})

test('the change is minimal: a colour slightly closer to the original would not be readable', () => {
  fc.assert(
    fc.property(anyColour, fc.constantFrom(...Object.values(pageSurfaces)), (colour, on) => {
      const made = readableOn(colour, on, text_contrast)
      // A step of lightness is a quarter of a shade, so the contrast just passes the minimum.
      if (made !== colour) expect(leastContrast(made, on)).toBeLessThan(text_contrast + 0.15)
    }),
    runs,
  )
})

test('the hue stays, within the rounding to 8 bits', () => {
  fc.assert(
    fc.property(anyColour, fc.constantFrom(...Object.values(pageSurfaces)), (colour, on) => {
      const [before, after] = [partsOf(colour), partsOf(readableOn(colour, on, text_contrast))]
      // The strongest channel stays the strongest, within rounding.
      for (const one of [0, 1, 2])
        for (const other of [0, 1, 2])
          if ((before[one] ?? 0) >= (before[other] ?? 0))
            expect((after[one] ?? 0) + 1).toBeGreaterThanOrEqual(after[other] ?? 0)
    }),
    runs,
  )
})

test('text becomes readable on any single surface', () => {
  fc.assert(
    fc.property(anyColour, anyColour, (colour, surface) => {
      expect(leastContrast(readableOn(colour, [surface], text_contrast), [surface])).toBeGreaterThanOrEqual(
        text_contrast,
      )
      expect(contrastRatio(inkOn(surface), surface)).toBeGreaterThanOrEqual(4.58)
    }),
    runs,
  )
})

function partsOf(colour: Colour): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}
