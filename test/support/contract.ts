import { Compile } from 'typebox/compile'
import { buildOpenApi, schemas } from '../../src/http/api/openapi.ts'
import type { Route } from '../../src/http/api/route.ts'
import type { Reply } from '../http/client.ts'
import type { Received } from './receiver.ts'

// Checks every answer and every delivery that a test receives against the API description of the route table.

type Json = { readonly [name: string]: unknown }

/** Takes the method and the whole path of a request, and its answer. */
type Check = (method: string, path: string, reply: Reply) => void

interface Operation {
  readonly method: string
  readonly pattern: RegExp
  /** By status. */
  readonly checks: ReadonlyMap<number, (body: unknown) => string | null>
}

/** Checks answers against the description of these rows. Throws an error that says what is wrong. */
export function contractOf(rows: readonly Route<never>[]): Check {
  const description = buildOpenApi(rows) as Json
  const operations = Object.entries(at(description, 'paths')).flatMap(([path, item]) =>
    operationsOf(description, path, item),
  )
  if (operations.length !== rows.length) throw new Error('the description does not list every row')
  return (method, url, reply) => {
    const path = url.split('?', 1)[0] ?? ''
    const operation = operations.find((one) => one.method === method && one.pattern.test(path))
    if (operation === undefined) return checkUndescribed(method, path, reply)
    const check = operation.checks.get(reply.status)
    const wrong = check === undefined ? 'it does not list this status' : check(reply.body)
    const unnamed = reply.headers['x-request-id'] === undefined ? 'no X-Request-Id' : null
    if (wrong !== null || unnamed !== null)
      throw new Error(
        `${method} ${url} answered ${reply.status} against its description: ${wrong ?? unnamed}\n${reply.text}`,
      )
  }
}

const checkFailure = checkOf(schemas.Failure)

/** The schema of answers to requests that the description does not list: the envelope of failures. */
function checkUndescribed(method: string, path: string, reply: Reply): void {
  if (!path.startsWith('/api/v1/') || method === 'HEAD' || reply.status === 204) return
  const wrong = reply.status < 400 ? 'it is not described' : checkFailure(reply.body)
  if (wrong !== null) throw new Error(`${method} ${path} answered ${reply.status}: ${wrong}\n${reply.text}`)
}

function operationsOf(description: Json, path: string, item: unknown): Operation[] {
  const pattern = new RegExp(`^/api${path.replace(/\{\w+\}/g, '[^/]+')}$`)
  return Object.entries(item as Json).map(([method, operation]) => {
    const responses = Object.entries(at(operation as Json, 'responses'))
    const checks = responses.map(([status, response]) => {
      const schema = at(at(at(response as Json, 'content'), 'application/json'), 'schema')
      return [Number(status), checkOf(closed(description, schema) as Json)] as const
    })
    return { method: method.toUpperCase(), pattern, checks: new Map(checks) }
  })
}

/** Checks deliveries against the description of their event. Throws an error that says what is wrong. */
export function deliveryContract(): (received: Received) => void {
  const description = buildOpenApi([]) as Json
  const events = Object.entries(at(description, 'webhooks')).map(
    ([name, item]) => [name, checkOfEvent(description, item)] as const,
  )
  const checks = new Map(events)
  return (received) => {
    const { event, body } = received
    const wrong = checks.get(event)?.(received) ?? ['there is no such event']
    if (wrong.length > 0)
      throw new Error(`${event} arrived against its description: ${wrong.join(', ')}\n${JSON.stringify(body)}`)
  }
}

interface Header {
  readonly name: string
  readonly schema: Json
}

/** Gives what is wrong with a delivery of this event. All described headers have to arrive, and no others of ours. */
function checkOfEvent(description: Json, item: unknown): (received: Received) => string[] {
  const post = closed(description, at(item as Json, 'post')) as Json
  const described = (Object.values(at(post, 'parameters')) as Header[]).map(({ name, schema }) => ({
    name: name.toLowerCase(),
    isNumber: schema['type'] === 'integer',
    check: checkOf(schema),
  }))
  const named = new Set(described.map(({ name }) => name))
  const checkBody = checkOf(at(at(at(at(post, 'requestBody'), 'content'), 'application/json'), 'schema'))
  return ({ headers, body }) => {
    const wrong = [
      ...described.map(({ name, isNumber, check }) => check(isNumber ? Number(headers[name]) : headers[name])),
      ...Object.keys(headers).map((name) =>
        name.startsWith('x-') && !named.has(name) ? `${name} is not named` : null,
      ),
      headers['content-type'] === 'application/json' ? null : 'it is not JSON',
      checkBody(body),
    ]
    return wrong.filter((one) => one !== null)
  }
}

function checkOf(schema: Json): (body: unknown) => string | null {
  const validator = Compile(schema)
  return (body) => (validator.Check(body) ? null : JSON.stringify(validator.Errors(body)))
}

function at(value: Json, name: string): Json {
  const inner = value[name]
  if (typeof inner !== 'object' || inner === null) throw new Error(`the description has no ${name} where one belongs`)
  return inner as Json
}

/** Resolves references, and forbids fields that the description does not name. */
export function closed(description: Json, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one) => closed(description, one))
  if (typeof schema !== 'object' || schema === null) return schema
  if ('$ref' in schema) {
    const names = String(schema.$ref).split('/').slice(1)
    return closed(description, names.reduce<Json>(at, description))
  }
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(description, value)]))
  const names = 'properties' in copy && !('additionalProperties' in copy)
  return names ? { ...copy, additionalProperties: false } : copy
}
