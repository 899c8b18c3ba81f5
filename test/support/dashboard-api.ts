import { afterAll, beforeAll } from 'vitest'
import { createDeps, type ServiceParts } from '../../src/app/services.ts'
import { dashboardRoutes } from '../../src/dashboard-routes.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import type { Merchant } from '../../src/domain/merchant.ts'
import type { Role, Session } from '../../src/domain/staff.ts'
import { createServer } from '../../src/http/server.ts'
import { createLog } from '../../src/observability/log.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import { pages, routes, type Services } from '../../src/routes.ts'
import { createClient, type Reply } from '../http/client.ts'
import { defaults } from './api.ts'
import { localAuthority } from './authority.ts'
import type { TestDatabase } from './database.ts'
import { paymentsOn } from './payments.ts'

const csrf = 'the token of every session of the tests'

/** A request to `/dashboard/api/merchants/:merchantId` + path by somebody with a role there. */
export interface Asked {
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly role?: Role
}

type Where = Pick<Merchant, 'program_id' | 'merchant_id'>

export interface SignedIn {
  readonly services: Services
  /** Asks as the owner of the merchant, unless a role is named. */
  call(method: string, merchant: Where, path: string, asked?: Asked): Promise<Reply>
}

type Settings = Partial<Omit<ServiceParts, 'clock'>> & Pick<ServiceParts, 'clock'>

/** Serves the dashboard's API on a test database. Each test names who is signed in. Call it after `testDatabase`. */
export function signedInApp(database: TestDatabase, settings: Settings): SignedIn {
  let running: Awaited<ReturnType<typeof start>> | undefined
  beforeAll(async () => {
    running = await start(database, settings)
  })
  afterAll(() => running?.stop())
  const started = () => {
    if (running === undefined) throw new Error('the server is started before the tests: use it in tests only')
    return running
  }
  return {
    get services() {
      return started().services
    },
    call(method, { program_id, merchant_id }, path, { json, headers = {}, role = 'owner' } = {}) {
      const sent = {
        cookie: `__Host-nuqta-session=${role}.${program_id}.${merchant_id}`,
        'sec-fetch-site': 'same-origin',
        'x-csrf-token': csrf,
        ...headers,
      }
      const whole = `/dashboard/api/merchants/${merchant_id}${path}`
      return started().call(method, whole, { headers: sent, ...(json === undefined ? {} : { json }) })
    },
  }
}

async function start({ db }: TestDatabase, { clock, ...settings }: Settings) {
  const tls = await localAuthority()
  const whole = { ...defaults, ...settings }
  const deps = createDeps(db, { ...whole, payments: settings.payments ?? paymentsOn(db, clock, whole), clock })
  const readSession = async (token: string | undefined) => (token === undefined ? null : sessionOf(token))
  const server = await createServer({
    tls,
    trust_proxy: [],
    log: createLog({ level: 'error', stream: { write: (line) => process.stderr.write(line) } }),
    metrics: createMetrics(),
    rows: routes,
    dashboard: dashboardRoutes,
    pages,
    deps: { ...deps, dashboard: { ...deps.dashboard, readSession, readStanding: async (_, session) => session } },
  })
  const client = createClient(await server.listen({ host: '127.0.0.1', port: 0 }), tls.ca)
  return {
    services: deps.services,
    call: client.call,
    async stop() {
      client.close()
      await server.close(1_000)
    },
  }
}

/** The session of `role.program_id.merchant_id`. */
function sessionOf(token: string): Session {
  const [role = '', program_id, merchant_id] = token.split('.')
  const where = {
    program_id: Number(program_id),
    merchant_id: Number(merchant_id),
    merchant_name: 'Shop',
    merchant_name_ar: null,
  }
  return {
    session_uuid: '0193e7a1-0000-7000-8000-000000000001' as Uuid,
    staff_uuid: '0193e7a1-0000-7000-8000-000000000002' as Uuid,
    email: `${role}@shop.example`,
    name: role,
    locale: null,
    is_operator: false,
    memberships: [{ ...where, role: role as Role }],
    csrf,
    started_at: new Date(),
  }
}
