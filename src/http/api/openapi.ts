import type { Failure, FailureKind } from '../../domain/failures.ts'
import { errorTable } from './errors.ts'
import { bodyFailures, describeBody, whyInvalid } from './openapi-body.ts'
import { type DescribedWebhooks, describeWebhooks } from './openapi-webhooks.ts'
import { failure, success } from './responses.ts'
import { pathParams, type Route } from './route.ts'

/** The version of the interface, not of the product. docs/spec/api.md#versioning */
const interface_version = '1.0.0'

/** What a description says besides its operations. */
interface About {
  readonly title: string
  readonly version: string
  readonly description: string
  /** Where the paths begin. */
  readonly server: string
  /** The security schemes by name. */
  readonly security: object
  readonly securityOf: (row: Pick<Route<never>, 'method' | 'path' | 'key'>) => readonly object[]
  readonly sent?: DescribedWebhooks
}

/** Gives the OpenAPI 3.1 description of the merchant API. */
export function buildOpenApi<Services>(rows: readonly Route<Services>[]): object {
  return describeApi(rows, {
    title: 'Merchant Loyalty Points Service',
    version: interface_version,
    description:
      'Award loyalty points for purchases and ratings, and let customers redeem them. Amounts are in SAR. Every answer ' +
      'is the same envelope; every error message says what to do. Before you act on an `approved` webhook of a checkout, ' +
      'compare it with your own order, for everybody who has read your public key can open a checkout: a shop whose server ' +
      'opened it compares `order.id` with the `order_uuid` that it stored, and the total; a shop whose page opens it ' +
      'requires signed checkouts, and compares `order_number` and `total_price`. An `order_uuid` from a browser proves ' +
      'nothing.',
    server: '/api',
    security: securitySchemes,
    securityOf: ({ key }) => (key === 'private' ? [{ private_key: [] }] : []),
    sent: describeWebhooks(),
  })
}

/** Gives the OpenAPI 3.1 description of the rows that are served. */
export function describeApi<Services>(rows: readonly Route<Services>[], about: About): object {
  const { title, version, description: text, server, security, sent } = about
  const paths: Record<string, Record<string, object>> = {}
  for (const row of rows) {
    const path = row.path.replaceAll(/:(\w+)/g, '{$1}')
    const item = paths[path] ?? {}
    paths[path] = item
    item[row.method.toLowerCase()] = describeOperation(row, about)
  }
  const description = {
    openapi: '3.1.0',
    info: { title, version, description: text },
    servers: [{ url: server }],
    tags: [...new Set(rows.map((row) => row.tag))].map((name) => ({ name })),
    paths,
    webhooks: sent?.webhooks,
    components: {
      securitySchemes: security,
      parameters: { lang, idempotency_key, ...sent?.parameters },
      responses: sent?.responses,
      headers,
      schemas: { ...schemas, ...sent?.schemas },
    },
  }
  return JSON.parse(JSON.stringify(description, withoutInternals))
}

/** TypeBox keeps its marks and our checks under keys that begin with a tilde. */
function withoutInternals(key: string, value: unknown): unknown {
  return key.startsWith('~') ? undefined : value
}

const securitySchemes = {
  private_key: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The private key of the merchant. For servers only: it must never reach a browser or an app.',
  },
}

const lang = {
  name: 'lang',
  in: 'query',
  description: 'Language of labels and messages. Wins over the `Accept-Language` header; `en` when neither says.',
  schema: { type: 'string', enum: ['ar', 'en'] },
}

const idempotency_key = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes the request safe to send again: the first answer that is not a 429 or a 5xx is kept for 24 hours and given ' +
    'again, whatever has happened to the first connection. Any text of yours, unique for the endpoint and the request; ' +
    'a UUID is best.',
  schema: { type: 'string', maxLength: 255 },
}

const headers = {
  'Idempotency-Replayed': {
    description: '`true` on an answer that was kept for the `Idempotency-Key`.',
    schema: { const: 'true' },
  },
  'X-Request-Id': {
    description: 'Names this request in the log of the service. Report it when you ask for help.',
    schema: { type: 'string', format: 'uuid' },
  },
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: { type: 'integer', minimum: 1 } },
}

const appended_data = { type: 'object', additionalProperties: true }

const failureProperties = { status: { const: false }, message: { type: 'string' }, appended_data }

/** The bodies of failures. */
export const schemas = {
  Failure: {
    type: 'object',
    required: ['status', 'message', 'appended_data'],
    properties: failureProperties,
  },
  ValidationFailure: {
    type: 'object',
    required: ['status', 'message', 'appended_data', 'errors'],
    properties: {
      ...failureProperties,
      errors: {
        type: 'object',
        description: 'Failing fields, nested ones with dots (`products.0.quantity`), each with its messages.',
        additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
      },
    },
  },
}

function describeOperation<Services>(row: Route<Services>, { securityOf }: About): object {
  return {
    operationId: operationId(row),
    tags: [row.tag],
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    security: securityOf(row),
    parameters: describeParameters(row),
    ...(row.body === undefined ? {} : { requestBody: describeBody(row, row.body) }),
    responses: { 200: describeSuccess(row), ...describeFailures(row) },
  }
}

/** `POST /v1/orders/:orderUuid/refund` → `postOrdersOrderUuidRefund`. */
function operationId({ method, path }: { readonly method: string; readonly path: string }): string {
  const words = path.split(/[^A-Za-z0-9]+/).slice(path.startsWith('/v1/') ? 2 : 1)
  return method.toLowerCase() + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
}

function describeParameters<Services>(row: Route<Services>): object[] {
  const inPath = pathParams(row.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    ...(name === 'publicKey'
      ? { description: 'The public key of the merchant. It may be known to anybody.', schema: { type: 'string' } }
      : { schema: numberParams.has(name) ? { type: 'integer', minimum: 1 } : { type: 'string', format: 'uuid' } }),
  }))
  const inQuery = Object.entries(row.query?.properties ?? {}).map(([name, schema]) => ({ name, in: 'query', schema }))
  const common = ['lang', ...(row.method === 'POST' ? ['idempotency_key'] : [])]
  return [...inPath, ...inQuery, ...common.map((name) => ({ $ref: `#/components/parameters/${name}` }))]
}

function describeSuccess<Services>(row: Route<Services>): object {
  const schema = {
    type: 'object',
    required: ['status', 'message', 'appended_data', 'data', ...Object.keys(row.pagination ?? {})],
    properties: { status: { const: true }, message: { const: '' }, appended_data, data: row.data, ...row.pagination },
  }
  const { example } = row
  return {
    description: 'Done.',
    headers: describeHeaders(row.method === 'POST' ? ['Idempotency-Replayed'] : []),
    content: {
      'application/json': {
        schema,
        ...(example === undefined ? {} : { example: success(example.data, {}, example.pagination) }),
      },
    },
  }
}

/** Parameters of the dashboard's paths that are numbers. */
const numberParams: ReadonlySet<string> = new Set(['merchantId', 'programId'])

/** Every failure of the frame and the service, by status, with an example each. */
function describeFailures<Services>(row: Route<Services>): Record<string, object> {
  const byStatus = Map.groupBy(failuresOf(row), (kind) => errorTable[kind].status)
  const described = Array.from(byStatus, ([status, kinds]) => {
    const schema = { $ref: `#/components/schemas/${status === 422 ? 'ValidationFailure' : 'Failure'}` }
    const examples = Object.fromEntries(
      kinds.map((kind) => [kind, { summary: whenOf(row, kind), value: failure(exampleOf(row, kind), 'en') }]),
    )
    const replayed = row.method === 'POST' && status !== 429 && status < 500 ? ['Idempotency-Replayed'] : []
    const retry = kinds.some((kind) => errorTable[kind].headers !== undefined) ? ['Retry-After'] : []
    const response = {
      description: kinds.map((kind) => whenOf(row, kind)).join(' '),
      headers: describeHeaders([...retry, ...replayed]),
      content: { 'application/json': { schema, examples } },
    }
    return [String(status), response] as const
  })
  return Object.fromEntries(described)
}

function describeHeaders(further: readonly string[]): object {
  return Object.fromEntries(
    ['X-Request-Id', ...further].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )
}

function failuresOf<Services>(row: Route<Services>): FailureKind[] {
  const params = pathParams(row.path)
  const kinds: FailureKind[] = [
    'https_required',
    ...(row.key === 'none' ? [] : (['invalid_api_key'] as const)),
    ...(row.standing === undefined ? [] : (['merchant_not_verified', 'merchant_not_published'] as const)),
    ...(row.flow === undefined ? [] : (['flow_disabled'] as const)),
    ...(params.includes('orderUuid') ? (['order_not_found'] as const) : []),
    ...(params.includes('uuid') ? (['webhook_not_found'] as const) : []),
    ...(row.method === 'GET' ? [] : bodyFailures),
    ...(row.method === 'POST' ? (['request_in_flight'] as const) : []),
    ...(row.failures ?? []),
    'unexpected',
    'database_unavailable',
  ]
  return [...new Set(kinds)].sort((a, b) => errorTable[a].status - errorTable[b].status)
}

const sample_uuid = '019ac0de-7a11-7c3a-9d52-3f6b1a2c4d5e'

function whenOf<Services>(row: Route<Services>, kind: FailureKind): string {
  return kind === 'validation' ? whyInvalid(row.body).when : errorTable[kind].when
}

/** A failure of the given kind, with what it carries. */
function exampleOf<Services>(row: Route<Services>, kind: FailureKind): Failure {
  switch (kind) {
    case 'validation':
      return { kind, errors: [whyInvalid(row.body).example] }
    case 'invalid_api_key':
      return { kind, presented: true }
    case 'flow_disabled':
      return { kind, flow: 'earning' }
    case 'method_not_allowed':
      return { kind, allow: ['POST'] }
    case 'order_number_repeated':
      return { kind, retry_after_s: 10, order_uuid: sample_uuid }
    case 'too_many_checkouts':
      return { kind, retry_after_s: 900 }
    default:
      return { kind } as Failure // the others carry nothing
  }
}
