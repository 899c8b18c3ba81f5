import type { Static, TObject, TSchema } from 'typebox'
import { DomainError, type FailureKind, type Flow, refuseFields } from '../../domain/failures.ts'
import { parseUuid, type Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { KeyKind, Merchant } from '../../domain/merchant.ts'
import type { Once } from './idempotency.ts'
import { compileValidator, isEmptyList, isObject } from './validation.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Path parameters that are uuids, with the failure for a malformed one. docs/spec/api.md#foreign-ids */
const uuidParams = { orderUuid: 'order_not_found', uuid: 'webhook_not_found' } as const

type PathParams<Names extends string> = {
  readonly [Name in Names]: Name extends keyof typeof uuidParams ? Uuid : string
}

/** What a handler receives. `body` is validated and normalised; `params` are the `:names` of the path. */
export interface RouteRequest<Body = undefined, Params extends string = never, M = Merchant> {
  readonly body: Body
  /** The body as it was sent; empty unless the row says `keeps_bytes`. */
  readonly body_bytes: Buffer
  readonly params: PathParams<Params>
  /** As sent: the handler checks it. */
  readonly query: Readonly<Record<string, unknown>>
  /** The merchant of the key; undefined when the row asks for no key. */
  readonly merchant: M
  readonly locale: Locale
  readonly request_id: string
  readonly client_address: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** How a POST makes its effect happen once per Idempotency-Key. */
  readonly once: Once
}

/** The `:names` of a path. */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** One of these names the path, below `/api`. */
export type MethodAndPath<Path extends string> =
  | { readonly get: Path }
  | { readonly post: Path }
  | { readonly put: Path }
  | { readonly patch: Path }
  | { readonly delete: Path }

/** One row says everything about an endpoint except what its handler does. */
type RouteRow<
  Path extends string,
  Key extends KeyKind | 'none',
  Body extends TSchema | undefined,
  Services,
> = MethodAndPath<Path> & {
  readonly key: Key
  /** `published`: the merchant must be verified and published, else 403. */
  readonly standing?: 'published'
  /** The flow that must be switched on, else 403. */
  readonly flow?: Flow
  /** `any`: browsers of any origin may call it and read its errors. */
  readonly cors?: 'any'
  /** `successes`: for an Idempotency-Key, only a 200 is stored. The default stores refusals too. */
  readonly idempotency_keeps?: 'successes'
  /** Fields of the body. Without it, a body must be empty or an object, and is ignored. */
  readonly body?: Body
  /** Accept an empty body (the default without `body`). */
  readonly body_optional?: boolean
  /** The handler reads the bytes of the body. Without it they are dropped once parsed. */
  readonly keeps_bytes?: boolean
  readonly handle: (
    request: RouteRequest<
      // Without NoInfer, TypeScript compares the type of every schema that there could be: 1,200,000 instantiations.
      NoInfer<Body extends TSchema ? Static<Body> : undefined>,
      ParamsOf<Path>,
      Key extends 'none' ? undefined : Merchant
    >,
    services: Services,
  ) => Promise<object>
} & Description

/** Only the API description reads these. */
export interface Description {
  /** A few words, without a full stop. */
  readonly summary: string
  readonly description?: string
  /** The group of the description. */
  readonly tag: string
  /** Query parameters, as an object schema. */
  readonly query?: TObject
  /** `data` of a success. */
  readonly data: TSchema
  /** `links` and `meta`, which stand beside `data`. */
  readonly pagination?: Readonly<Record<string, TSchema>>
  /** What the service may refuse, besides what the frame refuses. */
  readonly failures?: readonly FailureKind[]
  /** A request and its answer. A test sends the one and expects the other. */
  readonly example?: { readonly request?: object; readonly data: object; readonly pagination?: object }
}

/** What the frame passes to a route: the body is parsed but not validated. */
export interface RouteInput {
  /** Undefined when the body was empty. */
  body: unknown
  readonly body_bytes: Buffer
  params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly merchant: Merchant | undefined
  readonly locale: Locale
  readonly request_id: string
  readonly client_address: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly once: Once
}

/** A row of the route table, ready to be registered. */
export interface Route<Services> extends Description {
  readonly method: Method
  readonly path: string
  readonly key: KeyKind | 'none'
  readonly standing: 'published' | undefined
  readonly flow: Flow | undefined
  readonly cors: 'any' | undefined
  readonly idempotency_keeps: 'successes' | undefined
  readonly body: TSchema | undefined
  readonly body_optional: boolean
  readonly keeps_bytes: boolean
  /** Validates the body (422), then the uuids of the path (404), then handles the request. */
  readonly run: (input: RouteInput, services: Services) => Promise<object>
}

/**
 * Makes a row of the route table. The handler's body type comes from the schema, its path parameters from the path.
 * Throws at start when the row contradicts itself.
 */
export function route<
  const Path extends string,
  const Key extends KeyKind | 'none',
  Services,
  Body extends TSchema | undefined = undefined,
>(row: RouteRow<Path, Key, Body, Services>): Route<Services> {
  const { key, standing, flow, cors, idempotency_keeps, body, handle, ...rest } = row
  const { method, path } = methodAndPath(row)
  const body_optional = row.body_optional ?? body === undefined
  const readBody = bodyReader(body, body_optional)
  const readParams = paramsReader(path, uuidParams)
  const made: Route<Services> = {
    ...rest,
    method,
    path,
    key,
    standing,
    flow,
    cors,
    idempotency_keeps,
    body,
    body_optional,
    keeps_bytes: row.keeps_bytes ?? false,
    async run(input, services) {
      input.body = readBody(input.body)
      input.params = readParams(input.params)
      // The two lines above and the frame's key check give the input the types that the row promises.
      return handle(input as never, services)
    },
  }
  return checkRow(made)
}

/** Which field names the path says the method. */
export function methodAndPath(row: MethodAndPath<string>): { method: Method; path: string } {
  if ('get' in row) return { method: 'GET', path: row.get }
  if ('post' in row) return { method: 'POST', path: row.post }
  if ('put' in row) return { method: 'PUT', path: row.put }
  if ('patch' in row) return { method: 'PATCH', path: row.patch }
  return { method: 'DELETE', path: row.delete }
}

/** Makes what validates the body of a row. */
export function bodyReader(schema: TSchema | undefined, optional: boolean): (body: unknown) => unknown {
  const validate = schema === undefined ? () => undefined : compileValidator(schema)
  if (!optional) return validate
  return (sent) => {
    const body = isEmptyList(sent) ? {} : sent
    // A list or a number would pass for an empty object, and that may mean a refund of everything.
    if (body !== undefined && !isObject(body)) refuseFields({ field: 'body', rule: 'object' })
    return validate(body)
  }
}

/**
 * Makes what reads the parameters of a path: a malformed uuid is the same 404 as an unknown one. Gives the uuids as canonical
 * text. docs/spec/api.md#foreign-ids
 */
export function paramsReader(
  path: string,
  failures: Readonly<Record<string, 'order_not_found' | 'webhook_not_found' | 'not_found'>>,
): (params: RouteInput['params']) => RouteInput['params'] {
  const names = pathParams(path)
  const uuids = Object.entries(failures).filter(([name]) => names.includes(name))
  if (uuids.length === 0) return (params) => params
  return (params) => {
    const read = { ...params }
    for (const [name, kind] of uuids) {
      const uuid = parseUuid(params[name] ?? '')
      if (uuid === null) throw new DomainError({ kind })
      read[name] = uuid
    }
    return read
  }
}

/** The `:names` of a path, in order. */
export function pathParams(path: string): string[] {
  return Array.from(path.matchAll(/:(\w+)/g), (match) => match[1] ?? '')
}

function checkRow<Services>(row: Route<Services>): Route<Services> {
  const name = `${row.method} ${row.path}`
  const reject = (text: string): never => {
    throw new Error(`route table, ${name}: ${text}`)
  }
  if (!/^(\/(:\w+|[a-z0-9.-]+))+$/.test(row.path)) reject('the path must be segments in lower case or :names')
  if (row.key === 'none' && (row.standing !== undefined || row.flow !== undefined)) {
    reject('a standing or a flow needs a key')
  }
  if (row.flow !== undefined && row.standing === undefined) reject('a flow needs a published merchant')
  if (row.key === 'public' && !pathParams(row.path).includes('publicKey')) reject('the path lacks :publicKey')
  if (row.cors !== undefined && row.key === 'private') reject('a browser must not hold the private key')
  if (row.method === 'GET' && row.body !== undefined) reject('GET has no body')
  return row
}
