import Type from 'typebox'
import { afterAll, beforeAll } from 'vitest'
import { dashboardRoutes } from '../../src/dashboard-routes.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Role, Session } from '../../src/domain/staff.ts'
import { loadMerchantOf } from '../../src/features/merchants/merchant.ts'
import { dashboardRoute } from '../../src/http/dashboard/route.ts'
import { pages, type Services } from '../../src/routes.ts'
import { startServer, type TestServer } from '../http/support.ts'
import { oneShop, type Shop, servicesOn } from './app.ts'
import type { TestDatabase } from './database.ts'
import type { TestClock } from './earnings.ts'
import { portOfPages } from './port.ts'

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
async function startStaffPages(database: TestDatabase, services: Services, shop: Shop): Promise<StaffPages> {
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
    requireRecent: async () => undefined,
    readStanding: async (_: unknown, session: Session) => session,
  }
  const server = await startServer<Services>([], services, {
    port: await portOfPages(),
    pages,
    dashboard: { rows, auth },
  })
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

/** A shop whose dashboard is up for the tests of a file. Use its parts in tests and later hooks only. */
export interface StaffedShop {
  readonly shop: Shop
  readonly services: Services
  readonly pages: StaffPages
  /** Of the dashboard's server, for a browser. */
  readonly origin: string
  /** The path of one of the shop's pages, below `/dashboard`. */
  pathOf(page: string): string
}

/** Makes a shop, and starts its dashboard before the tests of a file. */
export function staffedShop(database: TestDatabase, clock: TestClock): StaffedShop {
  let started: Pick<StaffedShop, 'shop' | 'services' | 'pages'> | undefined
  beforeAll(async () => {
    const shop = await oneShop(database.db)
    const services = servicesOn(database.db, { clock })
    started = { shop, services, pages: await startStaffPages(database, services, shop) }
  })
  afterAll(() => started?.pages.server.stop())
  const ready = () => {
    if (started === undefined) throw new Error('the shop is made before the tests: use it in tests only')
    return started
  }
  return {
    get shop() {
      return ready().shop
    },
    get services() {
      return ready().services
    },
    get pages() {
      return ready().pages
    },
    get origin() {
      return `https://localhost:${ready().pages.server.port}`
    },
    pathOf: (page) => `/m/${ready().shop.merchant.merchant_id}/${page}`,
  }
}
