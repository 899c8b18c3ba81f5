import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type Colour,
  contrastRatio,
  inkOn,
  leastContrast,
  modeColours,
  pageSurfaces,
  parseColour,
  readableOn,
} from '../../src/domain/colour.ts'
import { rowsOf } from '../support/tables.ts'

const { light, dark } = pageSurfaces

describe('parsing a colour', () => {
  it.each([
    ['#0b6b4f', '#0b6b4f'],
    ['#0B6B4F', '#0b6b4f'],
    ['#f60', '#ff6600'],
    [' #FfF ', '#ffffff'],
  ])('%j as %s', (text, expected) => {
    expect(parseColour(text)).toBe(expected)
  })

  it.each([
    '',
    '#',
    'f60',
    '#ff',
    '#ff66',
    '#ff660',
    '#ff66000',
    '#ff6600ff',
    '#gggggg',
    'green',
    'rgb(1,2,3)',
    '#fff;x',
  ])('%j is none', (text) => {
    expect(parseColour(text)).toBeNull()
  })
})

// The expected ratios were computed independently of this code, with the formulas of WCAG 2.2.
describe('contrast', () => {
  it.each(
    rowsOf(`
      000000  ffffff  21
      ffffff  ffffff  1
      777777  ffffff  4.478
      767676  ffffff  4.542
      ff0000  ffffff  3.998
      ff0000  000000  5.252
      0000ff  ffffff  8.592
      808080  000000  5.317
      0a0a0a  000000  1.061
    `),
  )('of %s and %s is %s, in either order', (one = '', other = '', ratio = '') => {
    expect(contrastRatio(hex(one), hex(other))).toBeCloseTo(Number(ratio), 3)
    expect(contrastRatio(hex(other), hex(one))).toBeCloseTo(Number(ratio), 3)
  })

  it('with several surfaces is the lowest one', () => {
    expect(leastContrast(colour('#777777'), [colour('#ffffff'), colour('#000000')])).toBeCloseTo(4.478, 3)
  })
})

describe('text on a colour', () => {
  it.each(
    rowsOf(`
      0b6b4f  ffffff
      ffd54a  000000
      ff0000  000000
      0000ff  ffffff
      757575  ffffff
      767676  000000
      000000  ffffff
      ffffff  000000
    `),
  )('on %s is %s', (on = '', ink = '') => {
    expect(inkOn(hex(on))).toBe(hex(ink))
  })
})

describe("a merchant's colour on our surfaces", () => {
  it('uses the surfaces of the stylesheet', () => {
    const css = readFileSync(new URL('../../src/pages/design/tokens.css', import.meta.url), 'utf8')
    const values = (name: string) => [...css.matchAll(new RegExp(`--${name}: (#\\w+);`, 'g'))].map((match) => match[1])
    const [paper, back, tint] = [values('paper'), values('back'), values('tint')]
    expect([light, dark]).toEqual([0, 1].map((mode) => [paper[mode], back[mode], tint[mode]]))
  })

  it.each(
    rowsOf(`
      # A surface in the colour is the colour itself: yellow stays yellow.
      # colour  light: accent  edge    fill    ink     dark: accent  edge    fill    ink
      0b6b4f    0b6b4f         0b6b4f  0b6b4f  ffffff  11a378        0d8260  0b6b4f  ffffff
      ffd54a    876700         ab8300  ffd54a  000000  ffd54a        ffd54a  ffd54a  000000
      ff6600    b84900         e85d00  ff6600  000000  ff6600        ff6600  ff6600  000000
      0000ff    0000ff         0000ff  0000ff  ffffff  8181ff        5a5aff  0000ff  ffffff
      000000    000000         000000  000000  ffffff  8f8f8f        727272  000000  ffffff
      ffffff    6c6c6c         898989  ffffff  000000  ffffff        ffffff  ffffff  000000
    `),
  )('%s', (chosen = '', ...expected) => {
    const [onLight, onDark] = [modeColours(hex(chosen), light), modeColours(hex(chosen), dark)]
    const given = [onLight, onDark].flatMap(({ accent, edge, fill, ink }) => [accent, edge, fill, ink])
    expect(given).toEqual(expected.map(hex))
  })

  it('becomes black or white, whichever is closer, if no lightness is readable', () => {
    const both = [colour('#ffffff'), colour('#000000')] as const
    expect(readableOn(colour('#ff6600'), both, 7)).toBe('#000000')
  })
})

/** Parses a table; lines that begin with # are comments. */
function hex(digits: string): Colour {
  return colour(`#${digits}`)
}

function colour(text: string): Colour {
  const parsed = parseColour(text)
  if (parsed === null) throw new Error(`no colour: ${text}`)
  return parsed
}
