import type { TSchema } from 'typebox'
import type { BodyShape } from '../../domain/answered.ts'
import type { FieldError } from '../../domain/failures.ts'
import { isObject } from './validation.ts'

const max_fields = 40
const max_items = 10
const max_failing = 20

/** Describes a body by the names that its schema has. */
export function shapeOf(body: unknown, schema: TSchema | undefined): BodyShape | null {
  if (body === undefined) return null
  if (!isObject(body)) return { fields: { body: kindOf(body) }, unknown: 0 }
  const shape: Growing = { fields: {}, unknown: 0 }
  addFields(shape, '', { body, schema })
  return shape
}

interface Growing {
  readonly fields: Record<string, string>
  unknown: number
}

function addFields(
  shape: Growing,
  prefix: string,
  { body, schema }: { readonly body: Readonly<Record<string, unknown>>; readonly schema: TSchema | undefined },
): void {
  const known = propertiesOf(schema)
  let seen = 0
  for (const [name, inner] of Object.entries(known)) {
    if (!Object.hasOwn(body, name)) continue
    seen += 1
    addField(shape, prefix + name, { value: body[name], schema: inner })
  }
  // A free-form object has no names of ours: `object:4` says all about it.
  if (Object.keys(known).length > 0 || prefix === '') shape.unknown += Object.keys(body).length - seen
}

function addField(
  shape: Growing,
  name: string,
  { value, schema }: { readonly value: unknown; readonly schema: TSchema },
): void {
  if (!(name in shape.fields) && Object.keys(shape.fields).length >= max_fields) return
  const kind = kindOf(value)
  const had = shape.fields[name]
  shape.fields[name] = had === undefined || had === kind ? kind : `${wordOf(had)}|${wordOf(kind)}`
  if (isObject(value)) addFields(shape, `${name}.`, { body: value, schema })
  if (!Array.isArray(value)) return
  const items: TSchema | undefined = Reflect.get(schema, 'items')
  for (const item of value.slice(0, max_items)) {
    if (isObject(item)) addFields(shape, `${name}.*.`, { body: item, schema: items })
  }
}

function propertiesOf(schema: TSchema | undefined): Readonly<Record<string, TSchema>> {
  return schema === undefined ? {} : (Reflect.get(schema, 'properties') ?? {})
}

const wordOf = (kind: string): string => kind.split(/[:|]/, 1)[0] ?? ''

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `text:${value.length}`
  if (Array.isArray(value)) return `list:${value.length}`
  if (typeof value === 'object') return `object:${Object.keys(value).length}`
  return typeof value
}

/** The names of refused fields, bounded. Each is a path of names that the service itself chose. */
export function failingFields(errors: readonly FieldError[]): string[] {
  const names = new Set(errors.map(({ field }) => field).filter((name) => /^[\w.]{1,100}$/.test(name)))
  return [...names].slice(0, max_failing)
}
