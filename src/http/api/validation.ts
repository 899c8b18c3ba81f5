import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { type FieldError, type FieldRule, refuseFields } from '../../domain/failures.ts'
import { lazy } from '../../lib/lazy.ts'
import { freeFormBounds } from './fields.ts'
import { exceededBy, type FreeFormBounds } from './measure.ts'

/** How many failing fields one answer names: one in each line of the longest list. */
const max_errors = 1_000

Settings.Set({ maxErrors: max_errors })

/**
 * Takes the parsed JSON of a body. Gives it normalised and typed, or throws one `DomainError` with every failing field.
 */
export type Validate<T> = (body: unknown) => T

/** Makes the validator of a schema. A body that is not an object is validated as an object without fields. */
export function compileValidator<S extends TSchema>(schema: S): Validate<NoInfer<Static<S>>> {
  const normalise = compileNormaliser(schema)
  // A start has more than a hundred schemas, and few of them are ever sent a body.
  const validator = lazy(() => Compile(schema))
  const check = (body: unknown): body is NoInfer<Static<S>> => validator().Check(body)
  const cut = cutter(schema)
  return (body) => {
    const { errors: overlong, rest } = cut(isObject(body) ? body : {})
    const normalised = normalise(rest)
    if (overlong.length === 0 && check(normalised)) return normalised
    const others = validator()
      .Errors(normalised)
      .flatMap((error) => explain(error, normalised))
    const errors = [...overlong, ...others.filter(({ field }) => overlong.every((one) => one.field !== field))]
    return refuseFields(...errors.slice(0, max_errors))
  }
}

interface Bounded {
  readonly maxItems?: number
  readonly [freeFormBounds]?: FreeFormBounds
}

/** Removes lists that are too long and objects that are too large from a body, so that nothing in them is looked at. */
function cutter(schema: TSchema) {
  const properties: Readonly<Record<string, Bounded>> = Reflect.get(schema, 'properties') ?? {}
  return (body: Record<string, unknown>): { errors: FieldError[]; rest: Record<string, unknown> } => {
    const errors: FieldError[] = []
    let rest = body
    for (const [name, bounded] of Object.entries(properties)) {
      const exceeded = exceededOf(bounded, body[name])
      if (exceeded === null) continue
      errors.push({ field: name, ...exceeded })
      rest = { ...rest, [name]: undefined }
    }
    return { errors, rest }
  }
}

function exceededOf(
  { maxItems, [freeFormBounds]: bounds }: Bounded,
  value: unknown,
): Pick<FieldError, 'rule' | 'limit'> | null {
  if (Array.isArray(value)) {
    return maxItems === undefined || value.length <= maxItems ? null : { rule: 'max_array', limit: maxItems }
  }
  if (bounds === undefined || !isObject(value)) return null
  const rule = exceededBy(value, bounds)
  return rule === null ? null : { rule, limit: bounds[rule] }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Turns one error of TypeBox into field errors: an object that lacks three fields becomes three errors. */
function explain(error: TLocalizedValidationError, body: unknown): FieldError[] {
  const path = pathOf(error.instancePath)
  const field = path.join('.')
  const one = (rule: FieldRule, limit?: number | string): FieldError[] => [
    limit === undefined ? { field, rule } : { field, rule, limit },
  ]
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ field: [...path, name].join('.'), rule: 'required' }))
    case 'type':
      // A field that may be null says what else it takes.
      return error.params.type === 'null' ? [] : [explainType(error.params.type, field, valueAt(body, path))]
    case 'minimum':
      return one('min_numeric', Number(error.params.limit))
    case 'maximum':
      return one('max_numeric', Number(error.params.limit))
    case 'minItems':
      return one('min_array', error.params.limit)
    case 'maxItems':
      return one('max_array', error.params.limit)
    case 'minLength':
      return one('required')
    case 'maxLength':
      return one('max_string', error.params.limit)
    case 'enum':
      // `9` would read as one of `1, 2, … 9`, which are all texts.
      return typeof valueAt(body, path) === 'string' ? one('in', error.params.allowedValues.join(', ')) : one('string')
    case 'anyOf':
      return []
    case '~refine':
      return [{ field, ...readRefinement(error.params.message) }]
    default:
      throw new Error(`no sentence for the keyword ${error.keyword} at ${field}`)
  }
}

const typeRules: Readonly<Record<string, FieldRule>> = {
  string: 'string',
  number: 'numeric',
  integer: 'integer',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
}

function explainType(type: string | string[], field: string, value: unknown): FieldError {
  const [main] = [type].flat() // an optional field has `null` as a second type
  const rule = typeRules[String(main)]
  if (rule === undefined) throw new Error(`no sentence for the type ${String(type)} at ${field}`)
  return { field, rule: value === null ? 'required' : rule }
}

/** Parses the message that `refine` wrote. A refinement of a whole object also names a field. */
function readRefinement(message: string): { rule: FieldRule; limit?: number | string; field?: string } {
  return JSON.parse(message)
}

/** `/products/0/quantity` → products, 0, quantity (RFC 6901). */
function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body
  for (const segment of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Reflect.get(value, segment)
  }
  return value
}

/** Takes a value of parsed JSON and gives it normalised; `undefined` stands for absent. */
type Normaliser = (value: unknown) => unknown

/**
 * Compiles a schema to a function that trims strings, makes lone surrogates well-formed, drops blank strings, and nulls that
 * mean nothing, and leaves unknown fields out. Free-form objects (those with `additionalProperties`) and values of the wrong
 * type pass as they are. docs/spec/api.md#strings docs/spec/api.md#unknown-fields
 */
function compileNormaliser(schema: TSchema): Normaliser {
  if (Reflect.get(schema, 'additionalProperties') === true) return normaliseFreeForm
  const properties = read(schema, 'properties')
  if (properties !== undefined) return normaliseObject(properties)
  const items = read(schema, 'items')
  if (items !== undefined) return normaliseArray(compileNormaliser(items))
  const type: unknown = Reflect.get(schema, 'type')
  if (type === 'string' || Reflect.has(schema, 'enum')) return normaliseString
  if (type === 'number' || type === 'integer') return normaliseNumber
  return (value) => value
}

function read(schema: TSchema, keyword: string): TSchema | undefined {
  const value: unknown = Reflect.get(schema, keyword)
  return typeof value === 'object' && value !== null ? value : undefined
}

/** What a schema takes beside null, where null has a meaning of its own: `nullable` of fields.ts. */
function orNull(schema: TSchema): TSchema | undefined {
  const members: unknown = Reflect.get(schema, 'anyOf')
  if (!Array.isArray(members)) return undefined
  const isNull = (member: TSchema) => Reflect.get(member, 'type') === 'null'
  return members.some(isNull) ? members.find((member: TSchema) => !isNull(member)) : undefined
}

function normaliseFreeForm(value: unknown): unknown {
  return isEmptyList(value) ? {} : value
}

/** PHP writes an empty object as `[]`. docs/spec/api.md#empty-array */
export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function normaliseString(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed.toWellFormed()
}

/** `1e999` is parsed as Infinity. It is still a number, so its bound must refuse it, not its type. */
function normaliseNumber(value: unknown): unknown {
  if (value === Number.POSITIVE_INFINITY) return Number.MAX_VALUE
  return value === Number.NEGATIVE_INFINITY ? -Number.MAX_VALUE : value
}

function normaliseArray(each: Normaliser): Normaliser {
  return (value) => (Array.isArray(value) ? value.map(each) : value)
}

function normaliseObject(properties: TSchema): Normaliser {
  const fields = Object.entries(properties).map(([name, schema]: [string, TSchema]) => {
    // The loop below reads fields without asking whether they are the object's own.
    if (name in Object.prototype) throw new Error(`a field cannot be named ${name}`)
    return { name, normalise: compileNormaliser(orNull(schema) ?? schema), keepsNull: orNull(schema) !== undefined }
  })
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const normalised: Record<string, unknown> = {}
    for (const { name, normalise, keepsNull } of fields) {
      const raw: unknown = Reflect.get(value, name)
      if (raw === undefined || (raw === null && !keepsNull)) continue
      const clean = raw === null ? null : normalise(raw)
      if (clean !== undefined) normalised[name] = clean
    }
    return normalised
  }
}
