import Type, { type TSchema } from 'typebox'
import type { FieldRule } from '../../domain/failures.ts'
import { MAX_SAR } from '../../domain/money.ts'
import { parsePhone } from '../../domain/phone.ts'

/** The kinds of fields that bodies are made of: each is one schema, for types, validation and the API description. */

interface About {
  readonly description?: string
  readonly examples?: readonly unknown[]
}

/** Size and depth of free-form objects: what is kept must be readable again by everyone, recursion included. */
const max_metadata_bytes = 16_384
const max_address_bytes = 4_096
const max_free_form_depth = 64

const max_products = 1_000
const max_product_name = 500

const max_integer = 2_147_483_647

/** Marks that only the API description reads; it leaves out whatever begins with a tilde. */
export const needsOneOf = '~needs_one_of'
export const stringFormat = '~format'

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

/** Describes a string as a URI. What is one is for our own checks: those of JSON Schema are others. */
export function asUri<T extends TSchema>(schema: T): T {
  return Object.assign(schema, { [stringFormat]: 'uri' })
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
  return refine(asUri(text({ max, ...about })), 'url', isAllowed, limit)
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

function isSmall(value: unknown, max_bytes: number): boolean {
  if (typeof value !== 'object') return true
  try {
    return Buffer.byteLength(JSON.stringify(value)) <= max_bytes
  } catch {
    return true // too deep to be written down, which is reported on its own
  }
}

interface FreeForm extends About {
  readonly max_bytes?: number
  /** Fields of it that are known; others are kept as they are. */
  readonly properties?: Readonly<Record<string, object>>
}

/** A JSON object of any content, given back exactly as sent; `[]`, which is PHP's empty object, is read as one. */
export function freeForm({ max_bytes = max_metadata_bytes, ...about }: FreeForm = {}) {
  const schema = Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
    ...about,
  })
  const bounded = refine(schema, 'max_depth', isShallow, max_free_form_depth)
  return refine(bounded, 'max_bytes', (value) => isSmall(value, max_bytes), max_bytes)
}

export function metadata() {
  return freeForm({
    description: 'Anything you want kept with the order, up to 16 KiB and 64 levels.',
    examples: [{ branch: 'Olaya' }],
  })
}

/** Spec, "ShippingAddress": `city` and `line1` are known, everything else is kept as sent. */
export function shippingAddress() {
  return freeForm({
    max_bytes: max_address_bytes,
    description: 'Up to 4 KiB. `city` and `line1` are the known fields; others are kept as sent.',
    examples: [{ city: 'Riyadh', line1: 'Olaya St 1' }],
    properties: {
      city: { type: ['string', 'null'], maxLength: 100 },
      line1: { type: ['string', 'null'], maxLength: 255 },
    },
  })
}

/** Spec, "ProductLine". `name` bounds the name where it is sent; stored ones may be older than their bound. */
function productLineOf(name: { readonly max?: number }) {
  return Type.Object({
    product_name: text({ ...name, examples: ['Coffee beans 1 kg'] }),
    product_price: money({ examples: [75.5] }),
    quantity: integer({ min: 1, examples: [2] }),
  })
}

export const productLine = productLineOf({ max: max_product_name })
export const storedProductLine = productLineOf({})

/** At least one product (spec, "Limits"), and no more than a shop would sell at once. */
export function productLines() {
  return Type.Array(productLine, { minItems: 1, maxItems: max_products })
}

/** An object in which at least one of `names` is there; the first of them is reported as missing. */
export function atLeastOne<T extends TSchema>(schema: T, names: readonly [string, ...string[]]) {
  const isThere = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || names.some((name) => Reflect.has(value, name))
  return describedAsOneOf(
    Type.Refine(schema, isThere, () => JSON.stringify({ rule: 'required', field: names[0] })),
    names,
  )
}

/** Describes an object as one that needs at least one of `names`, which somebody else checks. */
export function describedAsOneOf<T extends TSchema>(schema: T, names: readonly [string, ...string[]]): T {
  return Object.assign(schema, { [needsOneOf]: names })
}

export const optional = Type.Optional
export const object = Type.Object
