import type { TObject, TSchema } from 'typebox'
import type { FieldError } from '../../domain/failures.ts'
import { errorTable } from './errors.ts'
import { needsOneOf, stringFormat } from './fields.ts'
import type { Route } from './route.ts'

/** How the API description describes request bodies and the failures for them. */

/** What can go wrong while a body is read. */
export const bodyFailures = [
  'malformed_json',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'validation',
  'too_many_bodies',
  'bodies_exhausted',
] as const

/** The keywords of a field's schema that are read here. */
interface Field {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly items?: object
}

export function describeBody<Services>(row: Route<Services>, schema: TSchema): object {
  const example = row.example?.request
  return {
    required: !row.body_optional,
    content: { 'application/json': { schema: describeFields(schema), ...(example === undefined ? {} : { example }) } },
  }
}

/** An optional field also takes `null` and a blank string: both count as absent. docs/spec/api.md#strings */
function describeFields(schema: TSchema): object {
  const { properties, required = [] } = partsOf(schema)
  const fields = Object.entries(properties).map(([name, field]) => {
    const described = stringFormat in field ? { ...field, format: field[stringFormat] } : field
    return [name, required.includes(name) ? described : optionally(described)]
  })
  return { ...schema, properties: Object.fromEntries(fields), ...oneOf(schema) }
}

function partsOf(schema: TSchema): { properties: Readonly<Record<string, Field>>; required?: readonly string[] } {
  return schema as TObject as never
}

function optionally({ minLength: _, ...field }: Field): object {
  if (field.enum !== undefined) return { ...field, enum: [...field.enum, null] }
  // One that takes null already says so.
  if (field.type === undefined) return field
  return { ...field, type: [field.type, 'null'].flat() }
}

/** At least one of the named fields. */
function oneOf(schema: TSchema): object {
  const names: readonly string[] | undefined = Reflect.get(schema, needsOneOf)
  return names === undefined ? {} : { anyOf: names.map((name) => ({ required: [name] })) }
}

/** When a body is a 422, and one example of it. */
export function whyInvalid(schema: TSchema | undefined): { readonly when: string; readonly example: FieldError } {
  if (schema === undefined) {
    const when =
      'A body came although none is needed, and it is not an object, or is nested too deep, or holds too much.'
    return { when, example: { field: 'body', rule: 'object' } }
  }
  return { when: errorTable.validation.when, example: exampleOf(schema) }
}

/** An error of a product's field where there are products, else of the first field. */
function exampleOf(schema: TSchema): FieldError {
  const { properties, required = [] } = partsOf(schema)
  const names = Object.keys(properties)
  if (properties['products']?.items !== undefined) {
    return { field: 'products.0.quantity', rule: 'min_numeric', limit: 1 }
  }
  const [field = 'body'] = [...required, ...names]
  if (required.length > 0 || Reflect.has(schema, needsOneOf)) return { field, rule: 'required' }
  const { type, enum: values, minimum, maxLength } = properties[field] ?? {}
  if (values !== undefined) return { field, rule: 'in', limit: values.join(', ') }
  if (type === 'string' && maxLength !== undefined) return { field, rule: 'max_string', limit: maxLength }
  return minimum === undefined ? { field, rule: 'boolean' } : { field, rule: 'min_numeric', limit: minimum }
}
