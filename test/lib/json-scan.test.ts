import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brokenBound, max_json_depth, max_json_values } from '../../src/lib/json-scan.ts'

const boundOf = (text: string) => brokenBound(Buffer.from(text))

/** Lists and objects count, and so do their members. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, inner) => sum + valuesIn(inner), 1)
}

const list = (count: number, one = '1') => `[${Array.from({ length: count }, () => one).join(',')}]`

describe('the bounds of a body', () => {
  it.each([
    ['as many lists as levels below the body', `{"x":${'['.repeat(64)}${']'.repeat(64)}}`, undefined],
    ['one list more', `{"x":${'['.repeat(65)}${']'.repeat(65)}}`, 'max_depth'],
    ['too many nested objects', `${'{"a":'.repeat(66)}1${'}'.repeat(66)}`, 'max_depth'],
    ['brackets that never close', '['.repeat(1_000), 'max_depth'],
    ['brackets in a string', JSON.stringify({ x: '[{'.repeat(5_000) }), undefined],
    ['brackets after an escaped quote', JSON.stringify({ x: `"\\"${'['.repeat(5_000)}` }), undefined],
    ['brackets and commas in the name of a field', JSON.stringify({ ['[,'.repeat(30_000)]: 1 }), undefined],
    ['many lists side by side', list(9_000, '[1]'), undefined],
  ])('%s', (_what, text, expected) => {
    expect(boundOf(text)).toBe(expected)
  })

  it.each([
    ['as many as allowed', list(max_json_values - 1), undefined],
    ['one more', list(max_json_values), 'max_values'],
    ['empty lists and objects are one each', list(max_json_values - 1, '[ ]'), undefined],
    ['one more of them', list(max_json_values, '{\n}'), 'max_values'],
    ['members of objects count, their names do not', `{"a":${list(max_json_values - 2, '{}')}}`, undefined],
    ['one more member', `{"a":${list(max_json_values - 2)},"b":1}`, 'max_values'],
    ['half a million', `{"products":${list(500_000)}}`, 'max_values'],
    ['commas in strings are not values', JSON.stringify([','.repeat(100_000)]), undefined],
  ])('of values: %s', (_what, text, expected) => {
    expect(boundOf(text)).toBe(expected)
  })

  it('count values as a parser does, for any JSON and any white space', () => {
    const holds = (value: unknown, indent: number, count: number) => {
      // Filled to the bound and to one beyond it, so that an error of one shows.
      const filled = (values: number) =>
        JSON.stringify([value, Array.from({ length: values - valuesIn(value) - 2 }, () => count)], null, indent)
      expect(boundOf(filled(max_json_values))).toBe(undefined)
      expect(boundOf(filled(max_json_values + 1))).toBe('max_values')
    }
    const json = fc.jsonValue({ maxDepth: 6 })
    fc.assert(fc.property(json, fc.nat({ max: 1 }), fc.nat(), holds), { numRuns: 30 })
  })

  it('accept any bytes, JSON or not', () => {
    const holds = (bytes: Uint8Array) => void expect([undefined, 'max_depth']).toContain(brokenBound(bytes))
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), holds))
    for (const text of ['', '"', '"\\', ']]]]', '{"a', '\u0000', '\ufeff{}']) expect(boundOf(text)).toBe(undefined)
    expect(max_json_depth).toBe(64)
  })
})
