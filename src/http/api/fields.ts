import Type, { type Static, type TSchema } from 'typebox'
import { parseDay } from '../../domain/day.ts'
import type { FieldRule } from '../../domain/failures.ts'
import { parseUuid } from '../../domain/ids.ts'
import { type Halalas, MAX_SAR, parseSar, toSar } from '../../domain/money.ts'
import { parsePhone } from '../../domain/phone.ts'
import { isOneLine } from '../../domain/text.ts'

/** The kinds of fields in requests and answers. One schema each gives types, validation and the API description. */

interface About {
  readonly description?: string
  readonly examples?: readonly unknown[]
}

/** Bounds of free-form objects, so that every client, recursive ones included, can read them again. */
const max_metadata_bytes = 16_384
const max_address_bytes = 4_096
const max_free_form_depth = 64

const max_products = 1_000
export const max_product_name = 500

const max_integer = 2_147_483_647

/** Marks for the API description, which leaves out all keys that begin with a tilde. */
export const needsOneOf = '~needs_one_of'
export const stringFormat = '~format'
export const freeFormBounds = '~free_form'

/** Whether a text is a day like `2026-01-31`. Values that are not texts pass: the type check refuses them. */
export const isDay = (value: unknown): boolean => typeof value !== 'string' || parseDay(value) !== null

/**
 * Adds a check that JSON Schema has no keyword for. The check must accept values of the wrong type: they are reported
 * already.
 */
export function refine<T extends TSchema>(
  schema: T,
  rule: FieldRule,
  check: (value: unknown) => boolean,
  limit?: string | number,
) {
  return Type.Refine(schema, check, () => JSON.stringify({ rule, limit }))
}

const storable = (value: unknown): boolean => typeof value !== 'string' || !value.includes('\u0000')

/** A trimmed string that is not blank. `max` counts code points. */
export function text(options: About & { readonly max?: number } = {}) {
  const { max, ...about } = options
  return refine(
    Type.String({ minLength: 1, ...(max === undefined ? {} : { maxLength: max }), ...about }),
    'characters',
    storable,
  )
}

const isLine = (value: unknown): boolean => typeof value !== 'string' || !storable(value) || isOneLine(value)

/** The same without line breaks and other control characters: mails, lists and terminals show it. */
export function line(options: About & { readonly max?: number } = {}) {
  return refine(text(options), 'one_line', isLine)
}

/** A uuid in either case. `list_place`: the refusal says that it names a place in a list. */
export function uuidText(rule: 'uuid' | 'list_place', about: About = {}) {
  return refine(Type.String({ ...about }), rule, (value) => typeof value !== 'string' || parseUuid(value) !== null)
}

/** An amount in SAR: a JSON number from 0 to 9,999,999,999.99. docs/spec/points-and-money.md#money */
export function money(about: About = {}) {
  return Type.Number({ minimum: 0, maximum: MAX_SAR, ...about })
}

/** A whole number that fits a database integer, even without bounds. */
export function integer(options: About & { readonly min?: number; readonly max?: number } = {}) {
  const { min = -max_integer, max = max_integer, ...about } = options
  return Type.Integer({ minimum: min, maximum: max, ...about })
}

export function boolean(about: About = {}) {
  return Type.Boolean({ ...about })
}

/** A time in an answer, in UTC. docs/spec/api.md#timestamps */
export function instant(about: About = {}) {
  return Type.String({ format: 'date-time', ...about })
}

/** The same in the description of the API, which shows one. */
export function exampleInstant() {
  return instant({ examples: ['2026-01-31T09:30:00.000Z'] })
}

/** A uuid in an answer. */
export function uuid(about: About = {}) {
  return Type.String({ format: 'uuid', ...about })
}

/** The same or null. */
export function nullable<S extends TSchema>(schema: S, about: About = {}) {
  return Type.Union([schema, Type.Null()], { ...about })
}

/** One of the given strings. */
export function oneOf<const Values extends readonly string[]>(values: Values, about: About = {}) {
  return Type.Unsafe<Values[number]>({ enum: [...values], ...about })
}

/**
 * A Saudi mobile number in any accepted format, left as sent: `parsePhone` normalises it. docs/spec/customers.md#phone
 */
export function phoneNumber(about: About = {}) {
  const schema = Type.String({
    minLength: 1,
    description: 'Saudi mobile number: +966…, 00966…, 966…, 0… or 5…, with or without spaces and dashes.',
    examples: ['+966512345678'],
    ...about,
  })
  return refine(schema, 'phone', (value) => typeof value !== 'string' || parsePhone(value) !== null)
}

/** Describes a string as a URI without the check of JSON Schema's `format`, which differs from ours. */
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
    // Parsers drop line breaks. They read `https:shop` as a host, or as a path of the page that it stands on.
    if (!/^[a-z]+:\/\/\P{Cc}*$/iu.test(value)) return false
    const parsed = URL.parse(value)
    return parsed !== null && allowed.has(parsed.protocol) && parsed.hostname !== ''
  }
  const limit = protocols.map((protocol) => `${protocol}://`).join(' or ')
  return refine(asUri(text({ max, ...about })), 'url', isAllowed, limit)
}

/** Depth of nesting, counted to `bound` + 1 at most so that the walk itself cannot overflow. */
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
    return true // too deep to be written as JSON, which `max_depth` reports
  }
}

interface FreeForm extends About {
  readonly max_bytes?: number
  /** Known fields; others are kept as they are. */
  readonly properties?: Readonly<Record<string, object>>
}

/** A JSON object of any content, given back exactly as sent. `[]` counts as `{}`. docs/spec/api.md#metadata */
export function freeForm({ max_bytes = max_metadata_bytes, ...about }: FreeForm = {}) {
  const schema = Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
    ...about,
  })
  const bounded = refine(schema, 'max_depth', isShallow, max_free_form_depth)
  const refined = refine(bounded, 'max_bytes', (value) => isSmall(value, max_bytes), max_bytes)
  return Object.assign(refined, { [freeFormBounds]: { max_bytes, max_depth: max_free_form_depth } })
}

export function metadata() {
  return freeForm({
    description:
      'Anything you want kept with the order, up to 16 KiB and 64 levels. Send an integer beyond 2^53 as a string: as a number it loses its last digits.',
    examples: [{ branch: 'Olaya' }],
  })
}

/** docs/spec/orders.md#shipping-address */
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

/** docs/spec/orders.md#product-line: only names in requests have a bound, since stored ones may be older than it. */
function productLineOf(name: { readonly max?: number }) {
  return Type.Object({
    product_name: text({ ...name, examples: ['Coffee beans 1 kg'] }),
    product_price: money({ examples: [75.5] }),
    quantity: integer({ min: 1, examples: [2] }),
  })
}

const productLine = productLineOf({ max: max_product_name })
export const storedProductLine = productLineOf({})

/** docs/spec/api.md#field-bounds */
export function productLines() {
  return Type.Array(productLine, { minItems: 1, maxItems: max_products })
}

const hasOneOf =
  (names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value !== 'object' || value === null || names.some((name) => Reflect.has(value, name))

/** An object with at least one of `names`. The first of them is reported as missing. */
export function atLeastOne<T extends TSchema>(schema: T, names: readonly [string, ...string[]]) {
  const message = () => JSON.stringify({ rule: 'required', field: names[0] })
  return describedAsOneOf(Type.Refine(schema, hasOneOf(names), message), names)
}

/** An object with at least one of two fields. Where there is none, both are reported, each as missing without the other. */
export function oneOfTwo<T extends TSchema>(schema: T, names: readonly [string, string]) {
  const [one, two] = names
  const missing = (field: string, limit: string) => () => JSON.stringify({ rule: 'required_without', field, limit })
  const checked = Type.Refine(schema, hasOneOf(names), missing(one, two))
  return describedAsOneOf(Type.Refine(checked, hasOneOf(names), missing(two, one)), names)
}

/** Describes an object as one that needs at least one of `names`, without checking it. */
export function describedAsOneOf<T extends TSchema>(schema: T, names: readonly [string, ...string[]]): T {
  return Object.assign(schema, { [needsOneOf]: names })
}

export const optional = Type.Optional
export const object = Type.Object

/** Gives the halalas of an amount that `money()` has checked. */
export function halalas(amount_sar: number): Halalas {
  const parsed = parseSar(amount_sar)
  if (parsed === null) throw new TypeError('an amount passed its check and is not in SAR')
  return parsed
}

export function optionalHalalas(amount_sar: number | undefined): Halalas | null {
  return amount_sar === undefined ? null : halalas(amount_sar)
}

/** The JSON text of an object or a list, to be stored. */
export function jsonText(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

type ProductLine = Static<typeof productLine>

/** Rounds the price of a product line to halalas, like every other amount. */
export function roundPrice(line: ProductLine): ProductLine {
  return { ...line, product_price: toSar(halalas(line.product_price)) }
}
