import { downloadAudit, listAudit } from './features/audit/dashboard.ts'
import { readOneMerchant } from './features/merchants/dashboard.ts'
import { listRequests } from './features/requests/dashboard.ts'
import { type DashboardRoute, dashboardRoute } from './http/dashboard/route.ts'
import type { Services } from './routes.ts'

/**
 * The route table of the dashboard's own API, below `/dashboard/api`: who may use an endpoint is a column.
 * `permissions` in src/domain/staff.ts says which roles have which permission.
 */
// biome-ignore format: one row per endpoint, to be read as a table
export const dashboardRoutes: readonly DashboardRoute<Services>[] = [
  dashboardRoute({ get:    '/merchants/:merchantId',                     may: 'view',            ...readOneMerchant }),
  dashboardRoute({ get:    '/merchants/:merchantId/requests',            may: 'view',            ...listRequests }),
  dashboardRoute({ get:    '/merchants/:merchantId/audit',               may: 'read_audit',      ...listAudit }),
  dashboardRoute({ get:    '/merchants/:merchantId/audit.csv',           may: 'read_audit',      ...downloadAudit }),
]
