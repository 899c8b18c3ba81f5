import { type Html, html } from '../design/html.ts'

/** The part of JSON Schema that our description uses. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | object
  readonly required?: readonly string[]
  readonly title?: string
}

/** Renders a schema: the fields of an object, or the type and bounds of a value. */
export function renderSchema(schema: object): Html {
  return render(schema as Schema)
}

function render(schema: Schema): Html {
  const { items, anyOf } = schema
  const properties = fieldsOf(schema)
  if (properties !== undefined) {
    const own = schema.description === undefined ? null : facts(schema)
    return html`${own}${fields(properties, schema.required ?? [])}`
  }
  if (anyOf?.some((one) => fieldsOf(one) !== undefined) === true) return alternatives(anyOf)
  if (items !== undefined && fieldsOf(items) !== undefined) return html`${facts(schema)}${render(items)}`
  return facts(schema)
}

/** The fields of an object; undefined for other values, and for an object that may have any. */
function fieldsOf({ properties, additionalProperties = false }: Schema): Schema['properties'] {
  const is_free = additionalProperties !== false && Object.keys(properties ?? {}).length === 0
  return is_free ? undefined : properties
}

function fields(properties: Readonly<Record<string, Schema>>, required: readonly string[]): Html {
  const names = Object.keys(properties)
  if (names.length === 0) return html`<p class="soft">An empty object.</p>`
  const rows = names.map((name) => {
    const schema = properties[name] ?? {}
    const need = required.includes(name) ? html` <em>required</em>` : null
    return html`<li><code>${name}</code>${need} ${render(schema)}</li>`
  })
  return html`<ul class="fields">${rows}</ul>`
}

function alternatives(schemas: readonly Schema[]): Html {
  const shown = schemas.map(
    (one) => html`<li>${one.title ?? kindOf(one)}${fieldsOf(one) === undefined ? null : render(one)}</li>`,
  )
  return html`<ul class="alternatives">${shown}</ul>`
}

/** The type, the bounds and the description, in one line. */
function facts(schema: Schema): Html {
  const bounds = boundsOf(schema)
  const examples = schema.examples?.map((value) => html` <code>${JSON.stringify(value)}</code>`) ?? []
  return html`<span class="soft">${kindOf(schema)}${bounds === '' ? '' : `, ${bounds}`}.</span> ${renderCodeSpans(schema.description ?? '')}${
    examples.length > 0 ? html` <span class="soft">Such as</span>${examples}` : null
  }`
}

function kindOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(kindOf))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(', ')
  if (typeof schema.type === 'object') return schema.type.map((type) => kindOf({ ...schema, type })).join(' or ')
  if (schema.type === 'null') return 'null'
  const kind =
    schema.type === 'array' ? `list of ${schema.items === undefined ? 'values' : kindOf(schema.items)}` : schema.type
  return schema.format === undefined ? (kind ?? 'any value') : `${kind ?? 'value'} (${schema.format})`
}

function boundsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const bounds = [
    minimum === undefined ? null : `from ${minimum}`,
    maximum === undefined ? null : `up to ${maximum}`,
    minLength === undefined ? null : 'not blank',
    maxLength === undefined ? null : `at most ${maxLength} characters`,
    minItems === undefined ? null : `at least ${minItems} item`,
    maxItems === undefined ? null : `at most ${maxItems} items`,
    schema.default === undefined ? null : `default ${JSON.stringify(schema.default)}`,
  ]
  return bounds.filter((bound) => bound !== null).join(', ')
}

/** Renders text between backquotes as code. */
export function renderCodeSpans(text: string): Html {
  const parts = text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
  return html`${parts}`
}
