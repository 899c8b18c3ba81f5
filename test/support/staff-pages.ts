import Type from 'typebox'
import { dashboardRoutes } from '../../src/dashboard-routes.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Role, Session } from '../../src/domain/staff.ts'
import { loadMerchantOf } from '../../src/features/merchants/merchant.ts'
import { dashboardRoute } from '../../src/http/dashboard/route.ts'
import { pages, type Services } from '../../src/routes.ts'
import { startServer, type TestServer } from '../http/support.ts'
import type { Shop } from './app.ts'
import type { TestDatabase } from './database.ts'

const id = '0193e7a1-0000-7000-8000-000000000001' as Uuid
const csrf = 'the token of the session'

/** The dashboard on a test database. Each request names the role of the person who is signed in. */
export interface StaffPages {
  readonly server: TestServer
  /** A request below `/dashboard/api/merchants/{shop}`. */
  as(role: Role, method: string, path: string, json?: object): ReturnType<TestServer['call']>
  /** The role in which browsers are signed in. */
  role: Role
}

/** Starts the dashboard without its sign-in, which other tests cover. */
export async function startStaffPages(database: TestDatabase, services: Services, shop: Shop): Promise<StaffPages> {
  const { merchant } = shop
  const place = {
    program_id: merchant.program_id,
    merchant_id: merchant.merchant_id,
    merchant_name: merchant.name,
    merchant_name_ar: null,
  }
  const made = { role: 'owner' as Role }
  const sessionOf = (role: Role): Session => ({
    ...{ session_uuid: id, staff_uuid: id, email: `${role}@shop.example`, name: 'Sara', locale: null, csrf },
    ...{ is_operator: false, memberships: [{ ...place, role }], started_at: new Date() },
  })
  const rows = dashboardRoutes.map((row) =>
    row.path === '/session' && row.method === 'GET'
      ? dashboardRoute<'/session', 'signed_in', Services>({
          ...{ get: '/session', may: 'signed_in', tag: 'Session', summary: 'Session', data: Type.Object({}) },
          handle: async (request) => request.session,
        })
      : row,
  )
  const auth = {
    origin: 'https://nuqta.example',
    readSession: async (token: string | undefined) => sessionOf((token as Role | undefined) ?? made.role),
    loadMerchant: (merchant_id: number, program_id?: number) => loadMerchantOf(database.db, merchant_id, program_id),
    loadProgram: async () => null,
  }
  const server = await startServer<Services>([], services, { pages, dashboard: { rows, auth } })
  const as: StaffPages['as'] = (role, method, path, json) =>
    server.call(method, `/dashboard/api/merchants/${merchant.merchant_id}${path}`, {
      ...(json === undefined ? {} : { json }),
      headers: {
        cookie: `__Host-nuqta-session=${role}`,
        'sec-fetch-site': 'same-origin',
        'x-csrf-token': csrf,
      },
    })
  return Object.assign(made, { server, as })
}
