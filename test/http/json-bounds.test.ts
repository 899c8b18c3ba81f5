import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brokenBound, max_json_depth, max_json_values } from '../../src/http/transport/json-scan.ts'

const judge = (text: string) => brokenBound(Buffer.from(text))

/** Lists and objects count, and so does each of their members. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, inner) => sum + valuesIn(inner), 1)
}

const list = (count: number, one = '1') => `[${Array.from({ length: count }, () => one).join(',')}]`

describe('the bounds of a body', () => {
  it.each([
    ['as many lists as levels below the body', `{"x":${'['.repeat(64)}${']'.repeat(64)}}`, undefined],
    ['one more', `{"x":${'['.repeat(65)}${']'.repeat(65)}}`, 'max_depth'],
    ['objects nest too', `${'{"a":'.repeat(66)}1${'}'.repeat(66)}`, 'max_depth'],
    ['brackets that never close', '['.repeat(1_000), 'max_depth'],
    ['brackets in a string do not', JSON.stringify({ x: '[{'.repeat(5_000) }), undefined],
    ['nor after an escaped quote', JSON.stringify({ x: `"\\"${'['.repeat(5_000)}` }), undefined],
    ['nor in the name of a field', JSON.stringify({ ['[,'.repeat(30_000)]: 1 }), undefined],
    ['many side by side are not deep', list(9_000, '[1]'), undefined],
  ])('%s', (_what, text, expected) => {
    expect(judge(text)).toBe(expected)
  })

  it.each([
    ['as many as there may be', list(max_json_values - 1), undefined],
    ['one more', list(max_json_values), 'max_values'],
    ['empty lists and objects are one each', list(max_json_values - 1, '[ ]'), undefined],
    ['one more of them', list(max_json_values, '{\n}'), 'max_values'],
    ['members of objects count, their names do not', `{"a":${list(max_json_values - 2, '{}')}}`, undefined],
    ['one more member', `{"a":${list(max_json_values - 2)},"b":1}`, 'max_values'],
    ['half a million', `{"products":${list(500_000)}}`, 'max_values'],
    ['commas in strings are not values', JSON.stringify([','.repeat(100_000)]), undefined],
  ])('of values: %s', (_what, text, expected) => {
    expect(judge(text)).toBe(expected)
  })

  it('are counted as a parser would, whatever the JSON and the white space in it', () => {
    const holds = (value: unknown, indent: number, count: number) => {
      // Filled up to the bound and one beyond it, so that a count which is wrong by one is seen.
      const filled = (values: number) =>
        JSON.stringify([value, Array.from({ length: values - valuesIn(value) - 2 }, () => count)], null, indent)
      expect(judge(filled(max_json_values))).toBe(undefined)
      expect(judge(filled(max_json_values + 1))).toBe('max_values')
    }
    const json = fc.jsonValue({ maxDepth: 6 })
    fc.assert(fc.property(json, fc.nat({ max: 1 }), fc.nat(), holds), { numRuns: 30 })
  })

  it('are looked for in anything, JSON or not', () => {
    const holds = (bytes: Uint8Array) => void expect([undefined, 'max_depth']).toContain(brokenBound(bytes))
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), holds))
    for (const text of ['', '"', '"\\', ']]]]', '{"a', '\u0000', '\ufeff{}']) expect(judge(text)).toBe(undefined)
    expect(max_json_depth).toBe(64)
  })
})
