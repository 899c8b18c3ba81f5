import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashJson, writeCanonical } from '../../src/features/idempotency/canonical.ts'

function canonicalJson(value: unknown): string {
  const pieces: string[] = []
  writeCanonical(value, (piece) => pieces.push(piece))
  return pieces.join('')
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

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

  it('has the same hash in chunks as in one piece', () => {
    const holds = (value: unknown) => void expect(hashJson(value).toString('hex')).toBe(sha256(canonicalJson(value)))
    fc.assert(fc.property(fc.jsonValue(), holds))
    for (const text of ['ع'.repeat(40_000), '😀'.repeat(40_000), 'a\ud800b', '"\\\n'.repeat(20_000)]) {
      holds([text, { [text]: text }])
    }
  })

  // An upgrade must not change the hashes: rows of `idempotency` from before it are compared with new ones.
  it.each([
    ['{"b":1,"a":[2,{"d":null,"c":true}]}', '8e03186084c73eda'],
    ['[]', '4f53cda18c2baa0c'],
    ['{"__proto__":{"x":1e999},"":"\\ud83d\\ude00"}', '6691dd8439ac5929'],
    ['{"total_price":1.50,"order_number":"#1","products":[{"product_name":"قهوة","quantity":1}]}', '6e675248c9f789c3'],
  ])('%s has the hash that it always had', (text, hash) => {
    expect(hashJson(JSON.parse(text)).toString('hex').slice(0, 16)).toBe(hash)
  })
})

/** JSON has no negative zero. */
function reparsed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
