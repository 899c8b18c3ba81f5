import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../src/features/idempotency/canonical.ts'

/** The same value with the members of its objects in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toReversed()
  return Object.fromEntries(entries.map(([name, member]) => [name, reversed(member)]))
}

describe('canonical JSON', () => {
  it('is JSON of the same value', () => {
    const holds = (value: unknown) => void expect(JSON.parse(canonicalJson(value))).toEqual(reparsed(value))
    fc.assert(fc.property(fc.jsonValue(), holds))
  })

  it('does not depend on the order of members', () => {
    const holds = (value: unknown) => void expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
    fc.assert(fc.property(fc.jsonValue(), holds))
  })

  it('differs for values that differ', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, two) => {
        const same = canonicalJson(one) === canonicalJson(two)
        expect(same).toBe(canonicalJson(reparsed(one)) === canonicalJson(reparsed(two)))
        if (same) expect(reparsed(one)).toEqual(reparsed(two))
      }),
    )
  })

  it.each([
    ['{"b":1,"a":[2,{"d":null,"c":true}]}', '{"a":[2,{"c":true,"d":null}],"b":1}'],
    ['{"1":1,"0":2}', '{"0":2,"1":1}'],
    ['[]', '[]'],
    ['{}', '{}'],
    ['1.0', '1'],
    ['"\\u00e9"', '"é"'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalJson(JSON.parse(text))).toBe(canonical)
  })

  it('reaches the bottom of anything a body can hold', () => {
    const depth = 400_000
    const deep: unknown = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
    expect(canonicalJson(deep)).toHaveLength(2 * depth)
  })
})

/** JSON has no negative zero. */
function reparsed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
