import { expect, test } from 'vitest'
import { metadata, object, optional } from '../../src/http/api/fields.ts'
import { compileValidator } from '../../src/http/api/validation.ts'

// 9,000 keys in `metadata` held the event loop for 30 ms: they were walked, written and described before they were refused.

const validate = compileValidator(object({ metadata: optional(metadata()) }))

/** An object that counts how often one of its values is read. */
function counting(values: Readonly<Record<string, unknown>>) {
  const counted = { reads: 0 }
  const value = new Proxy(values, {
    get(target, name) {
      counted.reads += 1
      return Reflect.get(target, name)
    },
  })
  return { value, counted }
}

const refusal = (rule: string, limit: number) =>
  expect.objectContaining({ failure: { kind: 'validation', errors: [{ field: 'metadata', rule, limit }] } })

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, 1]))

test('an object that is too large is read no further than its bound, once', () => {
  const { value, counted } = counting(keys(9_000))
  expect(() => validate({ metadata: value })).toThrow(refusal('max_bytes', 16_384))
  expect(counted.reads).toBeLessThan(16_384 / '"key1":1'.length)
})

test('one that is too deep is refused for that, whatever follows', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(65)}{}${'}'.repeat(65)}`)
  const { value, counted } = counting({ deep, ...keys(9_000) })
  expect(() => validate({ metadata: value })).toThrow(refusal('max_depth', 64))
  expect(counted.reads).toBe(1)
})
