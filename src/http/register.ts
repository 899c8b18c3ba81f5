import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnsweredRequest, BodyShape, KeepRequest } from '../domain/answered.ts'
import { DomainError, type FailureKind } from '../domain/failures.ts'
import { parseUuid, type Uuid } from '../domain/ids.ts'
import type { Locale } from '../domain/locale.ts'
import type { Merchant } from '../domain/merchant.ts'
import { type Authenticate, checkStanding } from './api/auth.ts'
import { shapeOf } from './api/body-shape.ts'
import { answerOnce, type BeginOnce, keyedPath, type Once, readKey, WithoutKey } from './api/idempotency.ts'
import { answerPreflight, anyOriginHeaders, localeOf, successOf } from './api/responses.ts'
import type { Route, RouteInput } from './api/route.ts'
import { checkBeforeBody, takeBody, withBodyHeld } from './transport/body.ts'
import type { BodyBudget, BodyBudgets } from './transport/body-budget.ts'

/** Where the routes are mounted. docs/spec/api.md#base-url */
export const api_prefix = '/api'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the key check. */
    merchant: Merchant | undefined
    /** Why the request was refused, for the log. */
    failure: FailureKind | undefined
    /** The names of the fields that were refused. */
    failedFields: readonly string[] | undefined
    /** Of a refused body, where requests are kept. */
    bodyShape: BodyShape | null
    /** The body as it was sent, where the row asks for it. */
    bodyBytes: Buffer | undefined
    /** The nearest address that is not a trusted proxy. */
    clientAddress(): string
  }

  interface FastifyContextConfig {
    readonly keeps_bytes?: boolean
  }
}

export interface RouteDeps<Services> {
  readonly authenticate: Authenticate
  /** For every handler. */
  readonly services: Services
  /** Without it, Idempotency-Keys are ignored. */
  readonly beginOnce?: BeginOnce
  /** Receives the answered requests of merchants. Without it, nobody keeps them. */
  readonly keepRequest?: KeepRequest | undefined
}

/** Registers every row of the route table, with preflights for the rows that browsers call. */
export function registerRoutes<Services>(
  app: FastifyInstance,
  rows: readonly Route<Services>[],
  deps: RouteDeps<Services>,
  budgets: BodyBudgets,
): void {
  for (const row of rows) {
    const url = api_prefix + row.path
    app.route({
      method: row.method,
      url,
      config: { keeps_bytes: row.keeps_bytes },
      onRequest: keyCheck(row, deps.authenticate, budgets[row.key === 'private' ? 'private' : 'public']),
      handler: handlerOf(row, deps),
    })
    if (row.cors !== undefined) {
      app.options(url, (_request, reply) => answerPreflight(reply, [row.method]))
    }
  }
}

function handlerOf<Services>(row: Route<Services>, deps: RouteDeps<Services>) {
  const answer = answerOf(row, deps)
  return (request: FastifyRequest, reply: FastifyReply): Promise<object> =>
    withBodyHeld(request, async () => {
      if (request.bodyPending) await checkKey(row, deps.authenticate, request)
      const input = new RequestInput(request)
      try {
        return await answer(input, request, reply)
      } catch (error) {
        if (deps.keepRequest !== undefined) request.bodyShape = shapeOf(input.body, row.body)
        throw error
      }
    })
}

function answerOf<Services>(row: Route<Services>, { services, beginOnce }: RouteDeps<Services>) {
  return async (input: RequestInput, request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    const key = row.method === 'POST' && beginOnce !== undefined ? readKey(request.raw) : null
    const { merchant } = request
    if (key === null || beginOnce === undefined || merchant === undefined)
      return successOf(await row.run(input, services))
    const path = keyedPath(api_prefix + row.path, input.params)
    const keyed = { owner: merchant, route: row.path, path, key, body: input.body, keeps: row.idempotency_keeps }
    const { status, text, replayed } = await answerOnce(beginOnce, keyed, input.locale, (once) => {
      input.once = once
      return row.run(input, services)
    })
    if (replayed) reply.header('idempotency-replayed', 'true')
    return reply.code(status).type('application/json; charset=utf-8').send(text)
  }
}

/** Checks the key, then standing and flow, all before the body is read. docs/spec/api.md#order-of-checks */
function keyCheck<Services>(row: Route<Services>, authenticate: Authenticate, budget: BodyBudget) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.bodyBudget = budget
    if (row.cors !== undefined) reply.headers(anyOriginHeaders)
    // A client may take seconds for the body. A key that is revoked meanwhile must change nothing any more.
    await checkBeforeBody(request, () => checkKey(row, authenticate, request))
  }
}

async function checkKey<Services>(
  row: Route<Services>,
  authenticate: Authenticate,
  request: FastifyRequest,
): Promise<void> {
  if (row.key === 'none') return
  const presented = row.key === 'private' ? request.headers['x-api-key'] : publicKeyOf(request)
  const merchant = await authenticate(row.key, presented)
  // Never tell a shop's page whose address lacks the public key to send the private one.
  const is_present = row.key === 'public' || wasSent(presented)
  if (merchant === null) throw new DomainError({ kind: 'invalid_api_key', presented: is_present })
  request.merchant = merchant
  checkStanding(row, merchant)
}

/** An empty header counts as none. */
function wasSent(key: unknown): boolean {
  return key !== undefined && String(key).trim() !== ''
}

function publicKeyOf(request: FastifyRequest): unknown {
  const { params } = request
  return typeof params === 'object' && params !== null && 'publicKey' in params ? params.publicKey : undefined
}

/** A request as a route sees it. What few handlers need is computed only when they ask. */
class RequestInput implements RouteInput {
  body: unknown
  params: RouteInput['params']
  #once: Once | undefined
  readonly #request: FastifyRequest

  constructor(request: FastifyRequest) {
    this.#request = request
    this.body = takeBody(request)
    this.params = asRecord(request.params)
  }

  get once(): Once {
    this.#once ??= new WithoutKey()
    return this.#once
  }

  set once(once: Once) {
    this.#once = once
  }

  get merchant(): Merchant | undefined {
    return this.#request.merchant
  }

  get query(): Readonly<Record<string, unknown>> {
    return asRecord(this.#request.query)
  }

  get locale(): Locale {
    return localeOf(this.#request)
  }

  get body_bytes(): Buffer {
    return this.#request.bodyBytes ?? Buffer.alloc(0)
  }

  get request_id(): string {
    return this.#request.id
  }

  get client_address(): string {
    return this.#request.clientAddress()
  }

  get headers(): RouteInput['headers'] {
    return this.#request.headers
  }
}

/** Fastify types parsed parameters as unknown; they are always objects of texts. */
function asRecord<Value>(value: unknown): Readonly<Record<string, Value>> {
  return value as Readonly<Record<string, Value>>
}

/** Hands an answered request of a merchant to the request log. Those of the dashboard are no part of it. */
export function keepAnswered(
  keep: KeepRequest,
  request: FastifyRequest,
  answered: Pick<AnsweredRequest, 'route' | 'status' | 'duration_ms'>,
): void {
  const { merchant, params } = request
  if (merchant === undefined || !answered.route.startsWith(`${api_prefix}/`)) return
  const sent = typeof params === 'object' && params !== null && 'orderUuid' in params ? String(params.orderUuid) : ''
  const bytes = Number(request.headers['content-length'])
  keep({
    ...answered,
    request_id: request.id as Uuid, // made by `newRequestId`
    program_id: merchant.program_id,
    merchant_id: merchant.merchant_id,
    method: request.method,
    order_uuid: parseUuid(sent),
    failure: request.failure ?? null,
    fields: request.failedFields ?? [],
    body_bytes: Number.isSafeInteger(bytes) ? bytes : null,
    body: request.bodyShape,
  })
}
