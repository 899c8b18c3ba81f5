import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { DomainError, type FieldError, type FieldRule } from '../../domain/failures.ts'
import { compileNormaliser } from './normalise.ts'

/** Failing fields that one answer names: enough for one in each line of the longest list. */
const max_errors = 1_000

Settings.Set({ maxErrors: max_errors })

/** Takes the parsed JSON of a body; gives it normalised and typed, or throws every failing field as one `Refused`. */
export type Validate<T> = (body: unknown) => T

/**
 * Compiles a schema to a function that normalises a body (decisions §2, "Strings"; §3, unknown fields), checks it, and
 * throws `Refused` with all failing fields. What is not an object is treated as one without fields.
 */
export function compileValidator<S extends TSchema>(schema: S): Validate<Static<S>> {
  const normalise = compileNormaliser(schema)
  const validator = Compile(schema)
  const check = (body: unknown): body is Static<S> => validator.Check(body)
  const cutLists = listCutter(schema)
  return (body) => {
    const { errors: overlong, rest } = cutLists(isObject(body) ? body : {})
    const normalised = normalise(rest)
    if (overlong.length === 0 && check(normalised)) return normalised
    const others = validator.Errors(normalised).flatMap((error) => explain(error, normalised))
    const errors = [...overlong, ...others.filter(({ field }) => overlong.every((one) => one.field !== field))]
    throw new DomainError({ kind: 'validation', errors: errors.slice(0, max_errors) })
  }
}

/** Takes lists with more items than they may have out of a body, so that no item of theirs is looked at. */
function listCutter(schema: TSchema) {
  const properties: Readonly<Record<string, { readonly maxItems?: number }>> = Reflect.get(schema, 'properties') ?? {}
  const bounds = Object.entries(properties).flatMap(([name, { maxItems }]) =>
    maxItems === undefined ? [] : [{ name, limit: maxItems }],
  )
  return (body: Record<string, unknown>): { errors: FieldError[]; rest: Record<string, unknown> } => {
    const errors: FieldError[] = []
    let rest = body
    for (const { name, limit } of bounds) {
      const list = body[name]
      if (!Array.isArray(list) || list.length <= limit) continue
      errors.push({ field: name, rule: 'max_array', limit })
      rest = { ...rest, [name]: undefined }
    }
    return { errors, rest }
  }
}

/** Refuses for fields that only a story can judge: a taken number, a bound that depends on the order. */
export function refuseFields(...errors: FieldError[]): never {
  throw new DomainError({ kind: 'validation', errors })
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Turns one error of TypeBox into field errors: a parent that misses three fields is three errors. */
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
      return [explainType(error.params.type, field, valueAt(body, path))]
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
      return one('in', error.params.allowedValues.join(', '))
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
  const [main] = [type].flat() // `null` beside it is how an optional one may be absent
  const rule = typeRules[String(main)]
  if (rule === undefined) throw new Error(`no sentence for the type ${String(type)} at ${field}`)
  return { field, rule: value === null ? 'required' : rule }
}

/** A refinement of a whole object names the field that it is about. */
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
