import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Transaction } from '../../db/transaction.ts'
import { deployment_program_id } from '../../domain/audit.ts'
import type { BeginOnce, KeyedRequest } from '../api/idempotency.ts'
import { answerOnce, keyedPath, type Once, readKey, WithoutKey } from '../api/idempotency.ts'
import { localeOf } from '../api/responses.ts'
import { readCookies } from '../pages/cookies.ts'
import { firstOfEach } from '../pages/form.ts'
import { checkBeforeBody, takeBody, withBodyHeld } from '../transport/body.ts'
import type { BodyBudgets } from '../transport/body-budget.ts'
import { sendAnswer } from './answers.ts'
import { type Access, checkAccess, checkStanding, type DashboardAuth } from './auth.ts'
import type { DashboardInput, DashboardRoute, May } from './route.ts'

/** Where the routes of the dashboard are mounted. */
export const dashboard_prefix = '/dashboard/api'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the check of access. */
    access: Access | undefined
  }
}

export interface DashboardDeps<Services> {
  readonly services: Services
  readonly dashboard: DashboardAuth
  readonly beginOnce?: BeginOnce
}

/** Registers every row of the dashboard's route table. */
export function registerDashboard<Services>(
  app: FastifyInstance,
  rows: readonly DashboardRoute<Services>[],
  deps: DashboardDeps<Services>,
  budgets: BodyBudgets,
): void {
  app.decorateRequest('access', undefined)
  for (const row of rows) {
    app.route({
      method: row.method,
      url: dashboard_prefix + row.path,
      onRequest: async (request, reply) => {
        // Pages of other hosts below our domain send the session's cookie along. They must not get to hold an answer.
        reply.header('cross-origin-resource-policy', 'same-origin')
        await checkBeforeBody(request, () => check(row, request, deps))
        // The bodies of strangers have a budget of their own, and take nothing from the staff of merchants.
        request.bodyBudget = request.access?.session === undefined ? budgets.public : budgets.private
      },
      handler: (request, reply) =>
        withBodyHeld(request, async () => {
          // A session that has ended while the body came must change nothing any more.
          if (request.bodyPending) await check(row, request, deps)
          return answer(row, request, reply, deps)
        }),
    })
  }
}

async function check<Services>(
  row: DashboardRoute<Services>,
  request: FastifyRequest,
  { dashboard }: DashboardDeps<Services>,
): Promise<void> {
  request.access = await checkAccess(row, request, dashboard)
  request.merchant = request.access.merchant
}

async function answer<Services>(
  row: DashboardRoute<Services>,
  request: FastifyRequest,
  reply: FastifyReply,
  { services, beginOnce, dashboard }: DashboardDeps<Services>,
): Promise<FastifyReply> {
  const body = takeBody(request)
  const { access } = request
  const still = (tx: Transaction) =>
    access === undefined ? Promise.resolve() : checkStanding(tx, row, access, dashboard)
  const run = (once: Once): Promise<object> => row.run(inputOf(request, body, checked(once, still)), services)
  const key = row.method === 'POST' && beginOnce !== undefined ? readKey(request.raw) : null
  const owner = ownerOf(request, row)
  if (key === null || beginOnce === undefined || owner === undefined)
    return sendAnswer(reply, await run(new WithoutKey()))
  const route = dashboard_prefix + row.path
  const path = keyedPath(route, request.params as DashboardInput['params'])
  // A key counts for its sender alone: the answer may hold a secret, or depend on the sender's role.
  const own = `${request.access?.session?.staff_uuid ?? ''}\n${key}`
  const keyed = { owner, route, path, key: own, body, has_secrets: true, keeps: undefined }
  const { status, text, replayed } = await answerOnce(beginOnce, keyed, localeOf(request), run)
  if (replayed) reply.header('idempotency-replayed', 'true')
  return reply.code(status).type('application/json; charset=utf-8').send(text)
}

/** Checks before each commit that keeps its answer, with a key or without. */
function checked(once: Once, check: (tx: Transaction) => Promise<void>): Once {
  return {
    get uuid() {
      return once.uuid
    },
    keeping(view) {
      const keep = once.keeping(view)
      return async (tx, result) => {
        await check(tx)
        await keep?.(tx, result)
      }
    },
  }
}

/**
 * Where the key of a request counts: at its merchant, else at its program (as merchant 0), else, for operators, at the
 * program that stands for the whole deployment.
 */
function ownerOf({ access }: FastifyRequest, { may }: { readonly may: May }): KeyedRequest['owner'] | undefined {
  if (access?.merchant !== undefined) return access.merchant
  if (access?.program !== undefined) return { program_id: access.program.program_id, merchant_id: 0 }
  return may === 'operator' ? { program_id: deployment_program_id, merchant_id: 0 } : undefined
}

function inputOf(request: FastifyRequest, body: unknown, once: Once): DashboardInput {
  const { session, program, merchant, standing } = request.access ?? {}
  return {
    body,
    params: request.params as DashboardInput['params'], // Fastify gives texts by name
    query: firstOfEach(new URL(request.url, 'https://page').searchParams),
    locale: session?.locale ?? localeOf(request),
    request_id: request.id,
    client_address: request.clientAddress(),
    headers: request.headers,
    cookies: readCookies(request.headers.cookie),
    session,
    program,
    merchant,
    standing,
    actor:
      session === undefined
        ? undefined
        : {
            source: 'dashboard',
            name: session.email,
            staff_uuid: session.staff_uuid,
            ...(merchant && { merchant_id: merchant.merchant_id }),
          },
    once,
  }
}
