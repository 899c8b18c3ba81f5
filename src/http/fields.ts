import Type, { type TSchema } from 'typebox'
import type { FieldRule } from '../domain/failures.ts'
import { MAX_SAR } from '../domain/money.ts'
import { parsePhone } from '../domain/phone.ts'

/** The kinds of fields that bodies are made of: each is one schema, for types, validation and the API description. */

interface About {
  readonly description?: string
  readonly examples?: readonly unknown[]
}

/** Size and depth of free-form objects: what is kept must be readable again by everyone, recursion included. */
const max_free_form_bytes = 16_384
const max_free_form_depth = 64

const max_integer = 2_147_483_647

/** A check that JSON Schema has no word for. It sees values of the wrong type too, which the type check reports. */
export function refine<T extends TSchema>(
  schema: T,
  rule: FieldRule,
  check: (value: unknown) => boolean,
  limit?: string | number,
) {
  return Type.Refine(schema, check, () => JSON.stringify({ rule, limit }))
}

const storable = (value: unknown): boolean => typeof value !== 'string' || !value.includes('\u0000')

/** A string, trimmed, not blank. `max` counts characters (code points). */
export function text(options: About & { readonly max?: number } = {}) {
  const { max, ...about } = options
  return refine(
    Type.String({ minLength: 1, ...(max === undefined ? {} : { maxLength: max }), ...about }),
    'characters',
    storable,
  )
}

/** An amount in SAR: a JSON number from 0 to 9,999,999,999.99 (decisions §2, "Money"). */
export function money(about: About = {}) {
  return Type.Number({ minimum: 0, maximum: MAX_SAR, ...about })
}

/** A whole number. Without bounds it still fits a database integer. */
export function integer(options: About & { readonly min?: number; readonly max?: number } = {}) {
  const { min = -max_integer, max = max_integer, ...about } = options
  return Type.Integer({ minimum: min, maximum: max, ...about })
}

export function boolean(about: About = {}) {
  return Type.Boolean({ ...about })
}

/** One of the given strings. */
export function oneOf<const Values extends readonly string[]>(values: Values, about: About = {}) {
  return Type.Unsafe<Values[number]>({ enum: [...values], ...about })
}

/** A Saudi mobile number in any accepted format; the text is kept as sent, `parsePhone` normalises it. */
export function phoneNumber(about: About = {}) {
  const schema = Type.String({
    minLength: 1,
    description: 'Saudi mobile number: +966…, 00966…, 966…, 0… or 5…, with or without spaces and dashes.',
    examples: ['+966512345678'],
    ...about,
  })
  return refine(schema, 'phone', (value) => typeof value !== 'string' || parsePhone(value) !== null)
}

/** An absolute URL of one of `protocols`. */
export function url(
  options: About & { readonly max?: number; readonly protocols?: readonly ('http' | 'https')[] } = {},
) {
  const { max = 2048, protocols = ['http', 'https'], ...about } = options
  const allowed = new Set(protocols.map((protocol) => `${protocol}:`))
  const isAllowed = (value: unknown): boolean => {
    if (typeof value !== 'string') return true
    // Parsers drop line breaks, and read `https:shop` as a host alone or as a path of ours, depending on where it stands.
    if (!/^[a-z]+:\/\/\P{Cc}*$/iu.test(value)) return false
    const parsed = URL.parse(value)
    return parsed !== null && allowed.has(parsed.protocol) && parsed.hostname !== ''
  }
  const limit = protocols.map((protocol) => `${protocol}://`).join(' or ')
  return refine(text({ max, ...about }), 'url', isAllowed, limit)
}

/** Depth of nesting, counted no further than just beyond `bound`: the walk itself must not overflow. */
function depthOf(value: unknown, bound: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (bound === 0) return 1
  let deepest = 0
  for (const inner of Object.values(value)) {
    if (typeof inner !== 'object' || inner === null) continue
    deepest = Math.max(deepest, depthOf(inner, bound - 1))
    if (deepest >= bound) break
  }
  return deepest + 1
}

const isShallow = (value: unknown): boolean => depthOf(value, max_free_form_depth) <= max_free_form_depth

function isSmall(value: unknown): boolean {
  if (typeof value !== 'object') return true
  try {
    return Buffer.byteLength(JSON.stringify(value)) <= max_free_form_bytes
  } catch {
    return true // too deep to be written down, which is reported on its own
  }
}

/** A JSON object of any content up to 16 KiB, given back exactly as sent (decisions §3). */
export function freeForm(about: About = {}) {
  const schema = Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
    ...about,
  })
  const bounded = refine(schema, 'max_depth', isShallow, max_free_form_depth)
  return refine(bounded, 'max_bytes', isSmall, max_free_form_bytes)
}

export function metadata() {
  return freeForm({
    description: 'Anything you want kept with the order, up to 16 KiB.',
    examples: [{ branch: 'Olaya' }],
  })
}

/** Spec, "ShippingAddress": `city` and `line1` are known, everything else is kept as sent. */
export function shippingAddress() {
  return freeForm({
    description: 'Free-form; `city` and `line1` are the known fields.',
    examples: [{ city: 'Riyadh', line1: 'Olaya St 1' }],
  })
}

/** Spec, "ProductLine". */
export const productLine = Type.Object({
  product_name: text({ examples: ['Coffee beans 1 kg'] }),
  product_price: money({ examples: [75.5] }),
  quantity: integer({ min: 1, examples: [2] }),
})

/** At least one product (spec, "Limits"). */
export function productLines() {
  return Type.Array(productLine, { minItems: 1 })
}

/** An object in which at least one of `names` is there; what is missing is told of the first. */
export function atLeastOne<T extends TSchema>(schema: T, names: readonly [string, ...string[]]) {
  const isThere = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || names.some((name) => Reflect.has(value, name))
  return Type.Refine(schema, isThere, () => JSON.stringify({ rule: 'required', field: names[0] }))
}

export const optional = Type.Optional
export const object = Type.Object
