import { downloadOverview, readOneChecklist, readOneOverview } from './features/activity/dashboard.ts'
import { readOneMerchant } from './features/merchants/dashboard.ts'
import { type DashboardRoute, dashboardRoute } from './http/dashboard/route.ts'
import type { Services } from './routes.ts'

/**
 * The route table of the dashboard's own API, below `/dashboard/api`: who may use an endpoint is a column.
 * `permissions` in src/domain/staff.ts says which roles have which permission.
 */
// biome-ignore format: one row per endpoint, to be read as a table
export const dashboardRoutes: readonly DashboardRoute<Services>[] = [
  dashboardRoute({ get:    '/merchants/:merchantId',                     may: 'view',            ...readOneMerchant }),
  dashboardRoute({ get:    '/merchants/:merchantId/overview',            may: 'view',            ...readOneOverview }),
  dashboardRoute({ get:    '/merchants/:merchantId/overview.csv',        may: 'view',            ...downloadOverview }),
  dashboardRoute({ get:    '/merchants/:merchantId/checklist',           may: 'view',            ...readOneChecklist }),
]
