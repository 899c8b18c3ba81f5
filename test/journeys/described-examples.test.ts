import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { buildOpenApi } from '../../src/http/api/openapi.ts'
import { routes } from '../../src/routes.ts'
import { makeMerchant, testApp } from '../support/api.ts'
import { closed } from '../support/contract.ts'
import { testDatabase } from '../support/database.ts'
import { pathOf, subject } from '../support/examples.ts'

// Every example of the API description: requests are sent and answered as the description says, the rest fits its schema.

const database = testDatabase()
const app = testApp(database)

type Json = Readonly<Record<string, unknown>>
type Row = (typeof routes)[number]

const description = buildOpenApi(routes) as Json

function at(value: Json, names: readonly string[]): Json {
  return names.reduce((inner, name) => inner[name] as Json, value)
}

const strict = (schema: unknown) => closed(description, schema) as Json

/** Values that differ between executions: compare only their type. */
const volatile = new Set(
  'id uuid order_uuid merchant_id reference_number date time since created_at updated_at expires_at'.split(' '),
)

function comparable(value: unknown, name = ''): unknown {
  if (volatile.has(name)) return typeof value
  if (name === 'secret')
    return String(value)
      .replace(/[0-9a-z]{4}$/, 'tail')
      .replace(/_.*/, '_')
  if (name === 'checkout_url') return String(value).replace(/[^/]+$/, 'token')
  if (Array.isArray(value)) return value.map((one) => comparable(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, comparable(inner, key)]))
}

describe('the example of', () => {
  for (const row of routes) {
    it(`${row.method} ${row.path} is answered as it says`, async () => {
      const { example } = row
      if (example === undefined) throw new Error('it has none')
      expect(example.request === undefined).toBe(row.body === undefined)
      const merchant = await makeMerchant(database.db)
      const uuid = await subject(app(), row, merchant)
      const path = pathOf(row, merchant, uuid)
      const { status, body } = await app().call(row.method, path, {
        key: merchant.private_key,
        json: example.request,
      })
      expect(status).toBe(200)
      const { status: _, message, appended_data, ...answer } = body
      expect(comparable(answer)).toEqual(comparable({ data: example.data, ...example.pagination }))
    })
  }
})

function bodySchema({ method, path }: Row): Json {
  const operation = at(description, ['paths', path.replaceAll(/:(\w+)/g, '{$1}'), method.toLowerCase()])
  return at(operation, ['requestBody', 'content', 'application/json', 'schema'])
}

describe('a null in an optional field is described, and counts as absent, at', () => {
  for (const row of routes.filter(({ body }) => body !== undefined)) {
    it(`${row.method} ${row.path}`, async () => {
      const schema = bodySchema(row)
      const required = (schema['required'] as string[] | undefined) ?? []
      const absent = Object.entries(row.example?.request ?? {}).filter(([name]) => required.includes(name))
      const optional = Object.keys(at(schema, ['properties'])).filter((name) => !required.includes(name))
      const nulls = { ...Object.fromEntries(absent), ...Object.fromEntries(optional.map((name) => [name, null])) }
      expect(Compile(schema).Check(nulls)).toBe(true)
      const statuses = []
      for (const json of [Object.fromEntries(absent), nulls]) {
        const merchant = await makeMerchant(database.db)
        const path = pathOf(row, merchant, await subject(app(), row, merchant))
        const { status, body } = await app().call(row.method, path, { key: merchant.private_key, json })
        statuses.push([status, body.errors])
      }
      expect(statuses[1]).toEqual(statuses[0])
    })
  }
})

interface Example {
  readonly path: string
  readonly schema: Json
  readonly value: unknown
}

/** Every example below a node: of a schema, or of a body with its schema. */
function* examples(node: unknown, path: string): Generator<Example> {
  if (typeof node !== 'object' || node === null) return
  const { schema, example, examples: several, ...rest } = node as Json
  if (schema !== undefined && example !== undefined) yield { path, schema: strict(schema), value: example }
  if (Array.isArray(several)) for (const value of several) yield { path, schema: strict(node), value }
  else if (schema !== undefined && several !== undefined)
    for (const [name, { value }] of Object.entries(several as Record<string, { value: unknown }>))
      yield { path: `${path}/${name}`, schema: strict(schema), value }
  for (const [name, inner] of Object.entries({ schema, ...rest })) yield* examples(inner, `${path}/${name}`)
}

describe('the examples of the description', () => {
  const all = [...examples(description, '')]

  it('fit their schemas and have no other fields, those of single fields and of every error included', () => {
    expect(all.length).toBeGreaterThan(200)
    const wrong = all.filter(({ schema, value }) => !Compile(schema).Check(value))
    expect(wrong.map(({ path, value }) => `${path}: ${JSON.stringify(value)}`)).toEqual([])
  })

  it('show one for every body of every operation, and for every error it may answer with', () => {
    const media = Object.values(description['paths'] as Json).flatMap((item) =>
      Object.values(item as Json).flatMap((operation) => {
        const { requestBody, responses } = operation as { requestBody?: Json; responses: Record<string, Json> }
        return [...(requestBody === undefined ? [] : [requestBody]), ...Object.values(responses)]
      }),
    )
    const shown = media.map((one) => at(one, ['content', 'application/json']))
    expect(
      shown.filter((one) => !('example' in one) && Object.keys((one['examples'] as Json) ?? {}).length === 0),
    ).toEqual([])
  })
})
