import type { TSchema } from 'typebox'

/** Takes a value of parsed JSON, gives it normalised; `undefined` stands for absent. */
type Normaliser = (value: unknown) => unknown

/**
 * Compiles a schema to a function that trims strings, makes lone surrogates well-formed, drops blank strings and nulls
 * where a field may be absent, and leaves unknown fields out. Free-form objects (those with `additionalProperties`) and values
 * of the wrong type pass as they are. Decisions §2, "Strings"; §3, "Unknown request fields".
 */
export function compileNormaliser(schema: TSchema): Normaliser {
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

/** Kept as sent. PHP writes an empty object as `[]`. */
function normaliseFreeForm(value: unknown): unknown {
  return isEmptyList(value) ? {} : value
}

/** What PHP makes of an object without members. */
export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function normaliseString(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed.toWellFormed()
}

/** JSON's 1e999 is read as Infinity: a number all the same, to be refused by its bound and not by its type. */
function normaliseNumber(value: unknown): unknown {
  if (value === Number.POSITIVE_INFINITY) return Number.MAX_VALUE
  return value === Number.NEGATIVE_INFINITY ? -Number.MAX_VALUE : value
}

function normaliseArray(each: Normaliser): Normaliser {
  return (value) => (Array.isArray(value) ? value.map(each) : value)
}

function normaliseObject(properties: TSchema): Normaliser {
  const fields = Object.entries(properties).map(([name, schema]: [string, TSchema]) => {
    // Only then may a field be read without asking whether it is the object's own.
    if (name in Object.prototype) throw new Error(`a field cannot be named ${name}`)
    return { name, normalise: compileNormaliser(schema) }
  })
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const normalised: Record<string, unknown> = {}
    for (const { name, normalise } of fields) {
      const raw: unknown = Reflect.get(value, name)
      if (raw === undefined || raw === null) continue
      const clean = normalise(raw)
      if (clean !== undefined) normalised[name] = clean
    }
    return normalised
  }
}
