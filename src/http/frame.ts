import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
} from 'fastify'
import { DomainError, type Failure } from '../domain/failures.ts'
import { lazy } from '../lib/lazy.ts'
import { logAnswered } from '../observability/access-log.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { outageLog } from '../observability/outage-log.ts'
import type { EndRequest, Traces } from '../observability/traces.ts'
import { type Endpoint, type FindPath, knownPaths } from './api/endpoints.ts'
import { langIn } from './api/locale.ts'
import { buildOpenApi } from './api/openapi.ts'
import {
  type CommonHeaders,
  corsHeaders,
  failureOf,
  isServerError,
  newRequestId,
  replyFailure,
  respondFailure,
  success,
  typedAsSaid,
} from './api/responses.ts'
import type { Route } from './api/route.ts'
import type { DashboardAuth } from './dashboard/auth.ts'
import { buildDashboardOpenApi } from './dashboard/openapi.ts'
import { dashboard_prefix, registerDashboard } from './dashboard/register.ts'
import type { DashboardRoute } from './dashboard/route.ts'
import type { FormKeys } from './pages/form.ts'
import { pageEndpoints, registerPages, replyFailurePage, wantsPage } from './pages/frame.ts'
import type { Pages } from './pages/page.ts'
import { api_prefix, keepAnswered, type RouteDeps, registerRoutes } from './register.ts'
import { installAnswerTime } from './transport/answer-time.ts'
import { installBodyReader } from './transport/body.ts'
import { type BodyBudgets, createBodyBudgets } from './transport/body-budget.ts'
import { discardBody, installBodyDiscard } from './transport/body-discard.ts'
import type { Limits } from './transport/listener.ts'
import { installPieces } from './transport/pieces.ts'
import type { ProxyTrust } from './transport/proxy.ts'

export interface FrameDeps<Services> extends RouteDeps<Services> {
  /** Whether an error means that the database cannot serve this request now (503), not that we have a bug (500). */
  isDatabaseUnavailable(error: unknown): boolean
  /** Knows the people of the dashboard. */
  readonly dashboard: DashboardAuth
  /** Recognises the forms of our own pages. */
  readonly forms: FormKeys
  /** Whether the database can be reached and written. */
  ready(): Promise<boolean>
}

export interface FrameOptions<Services> {
  readonly rows: readonly Route<Services>[]
  /** The dashboard's own API. */
  readonly dashboard?: readonly DashboardRoute<Services>[]
  readonly pages?: Pages<Services>
  readonly deps: FrameDeps<Services>
  readonly log: Log
  readonly metrics: Metrics
  readonly proxies: ProxyTrust
  readonly serverFactory: FastifyServerFactory
  readonly limits: Pick<Limits, 'body_ms' | 'answer_ms'>
  readonly budgets?: BodyBudgets
  /** True from the moment the process begins to stop. */
  readonly isStopping: () => boolean
  /** True from the moment connections end with their next answer. */
  readonly isClosing: () => boolean
  readonly headers: CommonHeaders
  /** Present while spans are sent. */
  readonly traceRequest?: Traces['request'] | undefined
}

/** No route has a Fastify schema, so the two compilers for them, which are 160 files, are not loaded at start. */
const noSchemas = { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } }

function refuseSchema(): never {
  throw new Error('routes describe their bodies in the route table, and not to Fastify')
}

/** The name of the route of an unknown path, in metrics and the log. */
const unknownRoute = 'unknown'

export interface Frame {
  readonly app: FastifyInstance
  /** Which methods a path has, for requests that Node itself refuses. */
  readonly findPath: FindPath
}

/** Makes the Fastify instance. Every answer has the envelope and an `X-Request-Id`. */
export function createFrame<Services>(options: FrameOptions<Services>): Frame {
  const { rows, dashboard = [], pages, deps, serverFactory, budgets = createBodyBudgets() } = options
  const publicBodies = { budget: budgets.public, within_ms: options.limits.body_ms }
  const app = fastify({
    serverFactory,
    logger: false,
    schemaController: noSchemas,
    genReqId: newRequestId,
    return503OnClosing: false,
    clientErrorHandler: () => undefined, // the listener answers, and Fastify's handler would cut that answer short
    // The route answers a malformed uuid of any length, after it has checked the key.
    routerOptions: { maxParamLength: 100_000 },
    // A URL that does not decode: no hook runs, nothing has read its query, and nobody reads its body.
    frameworkErrors(_error, request, reply) {
      discardBody(request.raw)
      const failed = { kind: 'malformed_request' } as const
      const common = { ...options.headers, ...corsHeaders(findPath(request.url)?.cors) }
      if (pages === undefined || !isPage(findPath, request)) {
        respondFailure(reply.raw, failed, common)
        return
      }
      request.query = { lang: langIn(request.url) }
      reply.headers({ ...common, 'x-request-id': request.id, 'cache-control': 'no-store', connection: 'close' })
      replyFailurePage(pages, request, reply, { failed, services: deps.services })
    },
  })
  app.decorateRequest('merchant', undefined)
  app.decorateRequest('failure', undefined)
  app.decorateRequest('failedFields', undefined)
  app.decorateRequest('bodyShape', null)
  app.decorateRequest('bodyBytes', undefined)
  app.decorateRequest('clientAddress', function clientAddress(this: FastifyRequest) {
    return options.proxies.clientAddress(this.raw)
  })

  const health = healthRoutes(options)
  const descriptions = [
    { path: `${api_prefix}/openapi.json`, bytesOf: lazy(() => jsonBytes(buildOpenApi(rows))) },
    { path: `${dashboard_prefix}/openapi.json`, bytesOf: lazy(() => jsonBytes(buildDashboardOpenApi(dashboard))) },
  ]
  const endpoints: Endpoint[] = [
    ...rows.map((row) => ({ ...row, path: api_prefix + row.path })),
    ...dashboard.map(({ method, path }) => ({ method, path: dashboard_prefix + path })),
    ...[...health, ...descriptions].map(({ path }) => ({ method: 'GET', path })),
    ...(pages === undefined ? [] : pageEndpoints(pages)).map((endpoint) => ({ ...endpoint, page: true })),
  ]
  const findPath = knownPaths(endpoints)

  installBodyReader(app, publicBodies)
  installBodyDiscard(app)
  installAnswerTime(app, options.limits.answer_ms)
  installPieces(app)
  installHooks(app, options, findPath)
  installErrorHandlers(app, options, findPath)
  registerRoutes(app, rows, deps, budgets)
  registerDashboard(app, dashboard, deps, budgets)
  if (pages !== undefined) registerPages(app, pages, deps, publicBodies)
  for (const { path, answer } of health) app.get(path, answer)
  for (const { path, bytesOf } of descriptions)
    app.get(path, (_request, reply) => reply.type('application/json; charset=utf-8').send(bytesOf()))
  return { app, findPath }
}

const jsonBytes = (description: object): Buffer => Buffer.from(JSON.stringify(description))

/** The failure for a request that no route took: its path or its method is wrong. */
export function pathFailure(findPath: FindPath, url: string): Failure {
  const known = findPath(url)
  return known === undefined ? { kind: 'path_not_found' } : { kind: 'method_not_allowed', allow: known.methods }
}

function installHooks<Services>(app: FastifyInstance, options: FrameOptions<Services>, findPath: FindPath): void {
  const { log, metrics, isClosing, headers, traceRequest, deps } = options
  const common = { ...headers, ...typedAsSaid, 'cache-control': 'no-store' }
  const traced = new WeakMap<FastifyRequest, EndRequest>()
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(common).header('x-request-id', request.id)
    if (isClosing()) reply.header('connection', 'close')
    // Not in a handler for unknown paths: Fastify would read the body before it.
    const page = request.is404 ? pageWithoutSlash(findPath, request) : undefined
    if (page !== undefined) reply.redirect(page, 301)
    else if (request.is404) {
      reply.headers(corsHeaders(findPath(request.url)?.cors))
      done(new DomainError(pathFailure(findPath, request.url)))
    } else if (traceRequest === undefined) done()
    else traced.set(request, traceRequest(request.method, done))
  })
  app.addHook('onResponse', (request, reply, done) => {
    const duration_ms = reply.elapsedTime
    const route = request.routeOptions.url ?? unknownRoute
    metrics.observeRequest(request.method, route, reply.statusCode, duration_ms / 1000)
    traced.get(request)?.(route, reply.statusCode)
    logAnswered(log, {
      request_id: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      duration_ms,
      failure: request.failure,
      is_error: isServerError(reply.statusCode, request.failure),
      merchant_id: request.merchant?.merchant_id,
      client_address: request.clientAddress(),
    })
    if (deps.keepRequest !== undefined)
      keepAnswered(deps.keepRequest, request, { route, status: reply.statusCode, duration_ms })
    done()
  })
}

function installErrorHandlers<Services>(
  app: FastifyInstance,
  { log, deps, pages }: FrameOptions<Services>,
  findPath: FindPath,
): void {
  const { services } = deps
  const logOutage = outageLog(log)
  const refuse = (request: FastifyRequest, reply: FastifyReply, failed: Failure): FastifyReply =>
    pages !== undefined && isPage(findPath, request)
      ? replyFailurePage(pages, request, reply, { failed, services })
      : replyFailure(request, reply, failed)
  app.setErrorHandler((error, request, reply) => {
    const known = failureOf(error, request)
    if (known !== null) return refuse(request, reply, known)
    const unavailable = deps.isDatabaseUnavailable(error)
    const entry = { err: error, request_id: request.id, method: request.method, route: request.routeOptions.url }
    if (unavailable) logOutage(entry)
    else log.error(entry, 'unexpected error')
    return refuse(request, reply, { kind: unavailable ? 'database_unavailable' : 'unexpected' })
  })
}

/** Whether the failure of a request is a page. */
function isPage(findPath: FindPath, request: FastifyRequest): boolean {
  return !isBelowApi(request.url) && (findPath(request.url)?.page ?? wantsPage(request))
}

/** The address of a page that was asked for with slashes at its end; undefined where there is none. */
function pageWithoutSlash(findPath: FindPath, { method, url }: FastifyRequest): string | undefined {
  const [, path, query = ''] = /^([^?]*[^/?])\/+(\?.*)?$/.exec(url) ?? []
  if (path === undefined || isBelowApi(path) || !['GET', 'HEAD'].includes(method)) return undefined
  const known = findPath(path)
  return known?.page === true && known.methods.includes('GET') ? path + query : undefined
}

/** Below these every answer has the envelope, whoever asks. */
function isBelowApi(url: string): boolean {
  const path = url.split('?', 1)[0] ?? ''
  return [api_prefix, dashboard_prefix].some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
}

interface HealthRoute {
  readonly path: string
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<object>
}

/** `/healthz`: the process lives. `/readyz`: it can serve, so the database can be reached and no stop has begun. */
function healthRoutes<Services>({
  deps,
  isStopping,
}: Pick<FrameOptions<Services>, 'deps' | 'isStopping'>): HealthRoute[] {
  return [
    { path: '/healthz', answer: async () => success({ healthy: true }) },
    {
      path: '/readyz',
      answer: async (request, reply) => {
        if (isStopping()) return replyFailure(request, reply, { kind: 'stopping' })
        const ready = await deps.ready().catch(() => false)
        return ready ? success({ ready: true }) : replyFailure(request, reply, { kind: 'database_unavailable' })
      },
    },
  ]
}
