import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMembers, textOf } from '../../src/lib/json-scan.ts'

// Guarantee: the member found in the signed bytes is the one whose value JSON.parse gives.

const blanks = fc.stringMatching(/^[ \t\r\n]{0,3}$/)
const names = ['metadata', 'phone_number', 'x', '', '__proto__', 'a"b', 'me\\ta', 'م'] as const

const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Writes a value as JSON with random blanks and escapes. */
const valueText = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'), fc.boolean())
  .map(([value, indent, escaped]) => {
    const text = JSON.stringify(value, null, indent) ?? 'null'
    return escaped ? text.replace(/[\u0080-\uffff]/g, escapeOf) : text
  })

const keyText = fc
  .tuple(fc.constantFrom(...names), fc.boolean())
  .map(([name, escaped]) => (escaped ? `"${Array.from(name, escapeOf).join('')}"` : JSON.stringify(name)))

const member = fc
  .tuple(blanks, keyText, blanks, blanks, valueText, blanks)
  .map(([a, key, b, c, value, d]) => ({ key, value, text: `${a}${key}${b}:${c}${value}${d}` }))

const object = fc
  .tuple(fc.boolean(), blanks, fc.array(member, { maxLength: 6 }), blanks)
  .map(([mark, before, members, after]) => ({
    members,
    bytes: Buffer.from(`${mark ? '\ufeff' : ''}${before}{${members.map(({ text }) => text).join(',')}}${after}`),
  }))

describe('members found in the bytes of JSON', () => {
  it('are the bytes of the last value of each name, or none', () => {
    fc.assert(
      fc.property(object, ({ members, bytes }) => {
        const found = findMembers(bytes, names)
        for (const name of names) {
          const last = members.findLast(({ key }) => JSON.parse(key) === name)
          const sent = found.get(name)
          expect(sent === undefined ? undefined : Buffer.from(sent).toString()).toBe(last?.value)
        }
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    '',
    ' ',
    'null',
    '[]',
    '[{"metadata":1}]',
    '"metadata"',
    '12',
    '{}',
    '{ }',
    '{"a":{"metadata":1}}',
    '\ufeff{}',
  ])('are none in %j', (text) => {
    expect(findMembers(Buffer.from(text), ['metadata'])).toEqual(new Map())
  })

  it('are texts when they are strings', () => {
    expect(textOf(Buffer.from('"a\\u0020\\"b"'))).toBe('a "b')
    expect(textOf(Buffer.from('12'))).toBe('12')
  })
})
