import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DomainError } from '../../src/domain/failures.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Role, Session } from '../../src/domain/staff.ts'
import { object, oneOf, text } from '../../src/http/api/fields.ts'
import { DashboardAnswer, Download } from '../../src/http/dashboard/answers.ts'
import { limitOf, listPagination, listQuery, pageOf } from '../../src/http/dashboard/list.ts'
import { dashboardRoute } from '../../src/http/dashboard/route.ts'
import type { CallOptions } from './client.ts'
import { merchant, startServer, type TestServer } from './support.ts'

const about = { tag: 'Test', summary: 'Test', data: Type.Object({}) }

const rows = [
  dashboardRoute({
    post: '/sign-in',
    may: 'anyone',
    ...about,
    body: object({ name: text() }),
    handle: async ({ body }) =>
      new DashboardAnswer({ name: body.name }, { cookies: [{ name: '__Host-test', value: 'x', same_site: 'strict' }] }),
  }),
  dashboardRoute({ get: '/me', may: 'signed_in', ...about, handle: async ({ actor, locale }) => ({ actor, locale }) }),
  dashboardRoute({ get: '/programs', may: 'operator', ...about, handle: async () => ({}) }),
  dashboardRoute({
    get: '/merchants/:merchantId/numbers',
    may: 'view',
    ...about,
    query: Type.Object({ ...listQuery, kind: Type.Optional(oneOf(['odd', 'even'])) }),
    pagination: listPagination,
    handle: async ({ query, merchant }) => {
      const from = query.after === undefined ? 1 : Number(query.after)
      const numbers = Array.from({ length: 6 - from }, (_, index) => from + index)
      const limit = limitOf(query)
      const view = (number: number) => ({ number, merchant_id: merchant.merchant_id })
      return pageOf(numbers.slice(0, limit + 1), { limit, view, cursor: (number) => String(number + 1) })
    },
  }),
  dashboardRoute({
    get: '/merchants/:merchantId/numbers.csv',
    may: 'view',
    ...about,
    handle: async () =>
      new Download({
        filename: 'numbers "1".csv',
        type: 'text/csv; charset=utf-8',
        chunks: (async function* () {
          yield 'a\n'
          yield '1\n'
        })(),
      }),
  }),
  dashboardRoute({
    post: '/merchants/:merchantId/orders/:orderUuid/cancel',
    may: 'handle_orders',
    ...about,
    handle: async ({ params, standing }) => ({ uuid: params.orderUuid, standing }),
  }),
  dashboardRoute({
    patch: '/merchants/:merchantId/keys',
    may: 'change_keys',
    ...about,
    handle: async () => {
      throw new DomainError({ kind: 'stale', current: { rate: 2 } })
    },
  }),
]

const csrf = 'the token of the session'
const origin = 'https://nuqta.example'

function sessionOf(role: Role | 'operator'): Session {
  const membership = { program_id: 1, merchant_id: 7, merchant_name: 'Shop', merchant_name_ar: null }
  return {
    session_uuid: '0193e7a1-0000-7000-8000-000000000001' as Uuid,
    staff_uuid: '0193e7a1-0000-7000-8000-000000000002' as Uuid,
    email: `${role}@shop.example`,
    name: role,
    locale: 'ar',
    is_operator: role === 'operator',
    memberships: role === 'operator' ? [] : [{ ...membership, role }],
    csrf,
    started_at: new Date(),
  }
}

let server: TestServer
beforeAll(async () => {
  const auth = {
    origin,
    readSession: async (token: string | undefined) => (token === undefined ? null : sessionOf(token as Role)),
    loadMerchant: async (merchant_id: number) => (merchant_id === 7 ? merchant({ merchant_id }) : null),
    loadProgram: async () => null,
    requireRecent: async () => undefined,
    readStanding: async (_: unknown, session: Session) => session,
  }
  server = await startServer([], {}, { dashboard: { rows, auth } })
})
afterAll(() => server.stop())

const call = (method: string, path: string, who?: Role | 'operator', options: CallOptions = {}) =>
  server.call(method, `/dashboard/api${path}`, {
    ...options,
    headers: {
      ...(who === undefined ? {} : { cookie: `__Host-nuqta-session=${who}` }),
      'sec-fetch-site': 'same-origin',
      'x-csrf-token': csrf,
      ...options.headers,
    },
  })

const uuid = '0193e7a1-0000-7000-8000-00000000000a'
const cancel = `/merchants/7/orders/${uuid}/cancel`

describe('who may ask', () => {
  it('is a column of the table', async () => {
    expect((await call('GET', '/me')).status).toBe(401)
    expect((await call('GET', '/me', 'read_only')).status).toBe(200)
    expect((await call('GET', '/programs', 'owner')).status).toBe(403)
    expect((await call('GET', '/programs', 'operator')).status).toBe(200)
    expect((await call('POST', cancel, 'read_only')).status).toBe(403)
    expect((await call('POST', cancel, 'support')).body).toMatchObject({ data: { uuid, standing: 'support' } })
    expect((await call('POST', cancel, 'operator')).body).toMatchObject({ data: { standing: 'operator' } })
  })

  it('never learns whether another merchant exists', async () => {
    for (const merchant_id of ['8', '0', '07', 'x', '1e3', '99999999999999999999'])
      expect((await call('GET', `/merchants/${merchant_id}/numbers`, 'owner')).status, merchant_id).toBe(404)
    expect((await call('GET', '/merchants/8/numbers', 'operator')).status).toBe(404)
  })
})

describe('a change', () => {
  it.each([
    ['without a token', { 'x-csrf-token': '' }],
    ['with the token of another session', { 'x-csrf-token': 'the token of the sessiom' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another host of the site', { 'sec-fetch-site': 'same-site', origin }],
  ])('%s is refused', async (_case, headers) => {
    const { status, body } = await call('POST', cancel, 'owner', { headers })
    expect({ status, body }).toMatchObject({ status: 403, body: { status: false } })
  })

  it('is checked by its origin if a browser sends no Sec-Fetch-Site', async () => {
    const sent = (from: Record<string, string>) =>
      server.call('POST', '/dashboard/api/sign-in', { json: { name: 'x' }, headers: from })
    expect((await sent({ origin })).status).toBe(200)
    expect((await sent({ origin: 'https://other.example' })).status).toBe(403)
    expect((await sent({})).status).toBe(403)
  })

  it('of an outdated version is refused with the current one', async () => {
    const { status, body } = await call('PATCH', '/merchants/7/keys', 'owner', { json: {} })
    expect({ status, body }).toMatchObject({ status: 409, body: { appended_data: { current: { rate: 2 } } } })
  })
})

describe('an answer', () => {
  it('is in the language of the person, and names them to the audit log', async () => {
    const { body } = await call('GET', '/me', 'owner')
    expect(body).toMatchObject({ data: { locale: 'ar', actor: { source: 'dashboard', name: 'owner@shop.example' } } })
  })

  it('sets cookies that other sites cannot use', async () => {
    const { headers } = await call('POST', '/sign-in', undefined, { json: { name: 'x' } })
    expect(headers['set-cookie']).toEqual(['__Host-test=x; Path=/; HttpOnly; Secure; SameSite=Strict'])
  })

  it('is a page of a list, with the cursor of the next', async () => {
    const first = await call('GET', '/merchants/7/numbers?limit=2', 'owner')
    expect(first.body).toMatchObject({ data: [{ number: 1 }, { number: 2 }], next: '3' })
    const last = await call('GET', '/merchants/7/numbers?limit=2&after=5', 'owner')
    expect(last.body).toMatchObject({ data: [{ number: 5 }], next: null })
  })

  it('names the fields of a query that are wrong', async () => {
    const { status, body } = await call('GET', '/merchants/7/numbers?kind=prime&limit=x', 'owner')
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { errors: { kind: [expect.any(String)], limit: [expect.any(String)] } },
    })
  })

  it('is a file with a harmless name', async () => {
    const { headers, text: file } = await call('GET', '/merchants/7/numbers.csv', 'owner')
    expect(headers['content-disposition']).toBe('attachment; filename="numbers__1_.csv"')
    expect(file).toBe('a\n1\n')
  })

  it('has the envelope for a path that is unknown or malformed, whoever asks', async () => {
    const headers = { accept: 'text/html' }
    expect((await call('GET', '/nothing', undefined, { headers })).body).toMatchObject({ status: false })
    const malformed = await call('POST', '/merchants/7/orders/x/cancel', 'owner')
    expect(malformed).toMatchObject({ status: 404, body: { status: false } })
  })
})

describe('the table', () => {
  it('is described like the merchant API', async () => {
    const { body } = await call('GET', '/openapi.json')
    expect(body).toMatchObject({
      servers: [{ url: '/dashboard/api' }],
      paths: { '/me': { get: { operationId: 'getMe', security: [{ session: [] }] } } },
    })
  })

  it('refuses a permission without a merchant', () => {
    expect(() => dashboardRoute({ get: '/orders', may: 'view', ...about, handle: async () => ({}) })).toThrow(
      /a permission and :merchantId need each other/,
    )
    const ofProgram = { get: '/programs/:programId/orders', ...about, handle: async () => ({}) } as const
    expect(() => dashboardRoute({ ...ofProgram, may: 'signed_in' })).toThrow(/only operators ask about programs/)
  })
})
