import type { Static, TObject, TSchema } from 'typebox'
import type { Actor } from '../../domain/audit.ts'
import { DomainError, type FailureKind } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Merchant, ProgramFacts } from '../../domain/merchant.ts'
import { type Permission, permissions, type Session, type Standing } from '../../domain/staff.ts'
import type { Once } from '../api/idempotency.ts'
import {
  bodyReader,
  type Description,
  type Method,
  type MethodAndPath,
  methodAndPath,
  type ParamsOf,
  paramsReader,
  pathParams,
} from '../api/route.ts'
import { compileValidator } from '../api/validation.ts'

/** Path parameters that are uuids, with the failure for a malformed one. */
const uuidParams = {
  orderUuid: 'order_not_found',
  uuid: 'webhook_not_found',
  customerId: 'not_found',
  deliveryId: 'not_found',
  findingUuid: 'not_found',
  runUuid: 'not_found',
  linkUuid: 'not_found',
  passkeyUuid: 'not_found',
  proposalUuid: 'not_found',
  sessionUuid: 'not_found',
  staffUuid: 'not_found',
  settlementUuid: 'not_found',
} as const satisfies Record<string, FailureKind>

type PathParams<Names extends string> = {
  readonly [Name in Names]: Name extends keyof typeof uuidParams ? Uuid : string
}

/**
 * Who may use an endpoint: `anyone`, even without a session; everybody who is `signed_in`; an `operator`, for the whole
 * deployment, a program of the path, or a merchant of that program; or people with this permission at the merchant of the
 * path.
 */
export type May = 'anyone' | 'signed_in' | 'operator' | Permission

interface Request<Body, Params extends string, Query> {
  /** Validated and normalised. */
  readonly body: Body
  readonly params: PathParams<Params>
  /** The first value of each name, validated. */
  readonly query: Query
  readonly locale: Locale
  readonly request_id: string
  readonly client_address: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly cookies: Readonly<Record<string, string>>
  /**
   * How a POST below a merchant or a program, or of operators, makes its effect happen once per Idempotency-Key. Before each
   * commit that `once.keeping()` is called for, the frame asks again whether the person may do this.
   */
  readonly once: Once
}

/** Anybody may ask. */
export interface OpenRequest<Body = undefined, Params extends string = never, Query = object>
  extends Request<Body, Params, Query> {
  readonly session: Session | undefined
}

/** Somebody who is signed in asks. */
export interface StaffRequest<Body = undefined, Params extends string = never, Query = object>
  extends Request<Body, Params, Query> {
  readonly session: Session
  /** For the audit log. */
  readonly actor: Actor
}

/** Somebody asks about a merchant where they have the permission of the row. */
export interface MerchantRequest<Body = undefined, Params extends string = never, Query = object>
  extends StaffRequest<Body, Params, Query> {
  readonly merchant: Merchant
  readonly standing: Standing
}

/** An operator asks about a program. */
export interface ProgramRequest<Body = undefined, Params extends string = never, Query = object>
  extends StaffRequest<Body, Params, Query> {
  readonly program: ProgramFacts
}

/** An operator asks about a merchant of a program. */
export interface ProgramMerchantRequest<Body = undefined, Params extends string = never, Query = object>
  extends ProgramRequest<Body, Params, Query> {
  readonly merchant: Merchant
}

type RequestFor<M extends May, Body, Params extends string, Query> = M extends 'anyone'
  ? OpenRequest<Body, Params, Query>
  : M extends Permission
    ? MerchantRequest<Body, Params, Query>
    : 'programId' extends Params
      ? 'merchantId' extends Params
        ? ProgramMerchantRequest<Body, Params, Query>
        : ProgramRequest<Body, Params, Query>
      : StaffRequest<Body, Params, Query>

type DashboardRow<
  Path extends string,
  M extends May,
  Body extends TSchema | undefined,
  Query extends TObject | undefined,
  Services,
> = MethodAndPath<Path> & {
  readonly may: M
  /** Needs a sign-in or a confirmation of the last minutes: a browser left open must not be enough. */
  readonly recent?: true
  readonly body?: Body
  /** Accept an empty body (the default without `body`). */
  readonly body_optional?: boolean
  /** Fields of texts. */
  readonly query?: Query
  readonly handle: (
    request: RequestFor<
      M,
      NoInfer<Body extends TSchema ? Static<Body> : undefined>,
      ParamsOf<Path>,
      NoInfer<Query extends TObject ? Static<Query> : object>
    >,
    services: Services,
  ) => Promise<object>
} & Omit<Description, 'query'>

/** What the frame passes to a route. */
export interface DashboardInput extends Omit<Request<unknown, string, unknown>, 'params'> {
  readonly params: Readonly<Record<string, string>>
  readonly session: Session | undefined
  readonly program: ProgramFacts | undefined
  readonly merchant: Merchant | undefined
  readonly standing: Standing | undefined
  readonly actor: Actor | undefined
}

/** A row of the dashboard's route table, ready to be registered. */
export interface DashboardRoute<Services> extends Description {
  readonly method: Method
  readonly path: string
  readonly may: May
  readonly recent: boolean
  readonly body: TSchema | undefined
  readonly body_optional: boolean
  /** Validates the body and the query (422), then the uuids of the path (404), then handles the request. */
  readonly run: (input: DashboardInput, services: Services) => Promise<object>
}

/**
 * Makes a row of the dashboard's route table. The types of the request come from the row. Throws at start when the row
 * contradicts itself.
 */
export function dashboardRoute<
  const Path extends string,
  const M extends May,
  Services,
  Body extends TSchema | undefined = undefined,
  Query extends TObject | undefined = undefined,
>(row: DashboardRow<Path, M, Body, Query, Services>): DashboardRoute<Services> {
  const { may, recent = false, body, handle, ...rest } = row
  const { method, path } = methodAndPath(row)
  const body_optional = row.body_optional ?? body === undefined
  const readBody = bodyReader(body, body_optional)
  const readParams = paramsReader(path, uuidParams)
  const readQuery = row.query === undefined ? () => ({}) : compileValidator(row.query)
  const made: DashboardRoute<Services> = {
    ...(rest as Description),
    method,
    path,
    may,
    recent,
    body,
    body_optional,
    async run(input, services) {
      const read = {
        ...input,
        body: readBody(input.body),
        query: readQuery(input.query),
        params: readParams(refuseNul(input.params)),
      }
      // With the frame's check of access, the lines above give the request the types that the row promises.
      return handle(read as never, services)
    },
  }
  return checkRow(made)
}

/** PostgreSQL cannot store a NUL, so nothing has such a name. */
function refuseNul(params: DashboardInput['params']): DashboardInput['params'] {
  if (Object.values(params).some((sent) => sent.includes('\0'))) throw new DomainError({ kind: 'not_found' })
  return params
}

function checkRow<Services>(row: DashboardRoute<Services>): DashboardRoute<Services> {
  const reject = (text: string): never => {
    throw new Error(`dashboard routes, ${row.method} ${row.path}: ${text}`)
  }
  if (!/^(\/(:\w+|[a-z0-9.-]+))+$/.test(row.path)) reject('the path must be segments in lower case or :names')
  const params = pathParams(row.path)
  if (params.includes('programId') && row.may !== 'operator') reject('only operators ask about programs')
  if (row.may in permissions !== (params.includes('merchantId') && !params.includes('programId')))
    reject('a permission and :merchantId need each other')
  if (row.recent && (row.may === 'anyone' || row.method === 'GET')) reject('only changes of somebody can be recent')
  if (row.method === 'GET' && row.body !== undefined) reject('GET has no body')
  return row
}
