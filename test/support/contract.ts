import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { FailureKind } from '../../src/domain/failures.ts'
import { errorTable } from '../../src/http/errors.ts'
import type { Route } from '../../src/http/route.ts'
import type { Reply } from './client.ts'

// Every answer that a test receives is held against what the route table promises, from which openapi.json is made.

/** What the frame itself may refuse on any endpoint. */
const anywhere: readonly FailureKind[] = [
  'malformed_request',
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'path_not_found',
  'method_not_allowed',
  'database_unavailable',
  'invalid_api_key',
]

const standing: readonly FailureKind[] = ['merchant_not_verified', 'merchant_not_published', 'flow_disabled']

const failureBody = Compile(
  Type.Object(
    {
      status: Type.Literal(false),
      message: Type.String({ minLength: 1 }),
      appended_data: Type.Object({}),
      errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }))),
    },
    { additionalProperties: false },
  ),
)

const successFields = { status: Type.Literal(true), message: Type.Literal(''), appended_data: Type.Object({}) }

type Row = Route<never>

/** Checks answers against rows of the route table; throws with what is wrong. */
export function contractOf(rows: readonly Row[]): (reply: Reply) => void {
  const known = rows.map((row) => ({ row, pattern: patternOf(row.path), body: compileSuccess(row) }))
  return (reply) => {
    const path = reply.path.split('?', 1)[0] ?? ''
    if (!path.startsWith('/api/v1/') || reply.method === 'OPTIONS') return
    const wrong = (what: string): never => {
      throw new Error(
        `${reply.method} ${reply.path} answered ${reply.status} against its description: ${what}\n${reply.text}`,
      )
    }
    if (reply.headers['x-request-id'] === undefined) wrong('no X-Request-Id')
    const found = known.find(({ row, pattern }) => row.method === reply.method && pattern.test(path))
    if (reply.status === 200) {
      if (found === undefined) return wrong('no row has this path')
      if (!found.body.Check(reply.body)) wrong(JSON.stringify(found.body.Errors(reply.body)))
      return
    }
    if (!failureBody.Check(reply.body)) wrong(JSON.stringify(failureBody.Errors(reply.body)))
    if ((reply.status === 422) !== (reply.body.errors !== undefined)) wrong('errors belong to 422, and to nothing else')
    if (found !== undefined && !statusesOf(found.row).has(reply.status)) wrong('the row does not announce this status')
  }
}

function compileSuccess(row: Row) {
  const fields = { ...successFields, data: row.data, ...row.beside }
  return Compile(Type.Object(fields, { additionalProperties: false }))
}

function statusesOf(row: Row): Set<number> {
  const kinds: FailureKind[] = [...anywhere, ...(row.failures ?? [])]
  if (row.standing !== undefined) kinds.push(...standing)
  const statuses = new Set(kinds.map((kind) => errorTable[kind].status))
  // Shape of the body, and the Idempotency-Key of a POST.
  if (row.method !== 'GET' && row.method !== 'DELETE') statuses.add(422)
  if (row.method === 'POST') statuses.add(409)
  if (row.path.includes('/:orderUuid') || row.path.includes('/:uuid')) statuses.add(404)
  return statuses
}

function patternOf(path: string): RegExp {
  return new RegExp(`^/api${path.replace(/:\w+/g, '[^/]+')}$`)
}
