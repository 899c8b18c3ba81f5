import { readOneMerchant } from './features/merchants/dashboard.ts'
import {
  authorizeByHand,
  cancelByHand,
  captureByHand,
  completeByHand,
  refundByHand,
  updateShippingByHand,
} from './features/orders/dashboard-actions.ts'
import { exportOrders, listOrdersOfMerchant, previewRefundOfOrder, readOrderOfMerchant } from './features/orders/dashboard.ts'
import { adjustCustomer, listCustomersOfMerchant, listHistoryOfCustomer, readCustomerOfMerchant, searchMerchant } from './features/wallet/dashboard.ts'
import { type DashboardRoute, dashboardRoute } from './http/dashboard/route.ts'
import type { Services } from './routes.ts'

/**
 * The route table of the dashboard's own API, below `/dashboard/api`: who may use an endpoint is a column.
 * `permissions` in src/domain/staff.ts says which roles have which permission.
 */
// biome-ignore format: one row per endpoint, to be read as a table
export const dashboardRoutes: readonly DashboardRoute<Services>[] = [
  dashboardRoute({ get:    '/merchants/:merchantId',                     may: 'view',            ...readOneMerchant }),
  dashboardRoute({ get:    '/merchants/:merchantId/orders',              may: 'view',            ...listOrdersOfMerchant }),
  dashboardRoute({ get:    '/merchants/:merchantId/orders.csv',          may: 'view',            ...exportOrders }),
  dashboardRoute({ get:    '/merchants/:merchantId/orders/:orderUuid',   may: 'view',            ...readOrderOfMerchant }),
  dashboardRoute({ get:    '/merchants/:merchantId/orders/:orderUuid/refund-preview', may: 'view', ...previewRefundOfOrder }),
  dashboardRoute({ post:   '/merchants/:merchantId/orders/:orderUuid/authorize', may: 'handle_orders', ...authorizeByHand }),
  dashboardRoute({ post:   '/merchants/:merchantId/orders/:orderUuid/capture',   may: 'handle_orders', ...captureByHand }),
  dashboardRoute({ post:   '/merchants/:merchantId/orders/:orderUuid/complete',  may: 'handle_orders', ...completeByHand }),
  dashboardRoute({ post:   '/merchants/:merchantId/orders/:orderUuid/cancel',    may: 'handle_orders', ...cancelByHand }),
  dashboardRoute({ post:   '/merchants/:merchantId/orders/:orderUuid/refund',    may: 'handle_orders', ...refundByHand }),
  dashboardRoute({ post:   '/merchants/:merchantId/orders/:orderUuid/status',    may: 'handle_orders', ...updateShippingByHand }),
  dashboardRoute({ get:    '/merchants/:merchantId/customers',           may: 'view',            ...listCustomersOfMerchant }),
  dashboardRoute({ get:    '/merchants/:merchantId/customers/:customerId',         may: 'view',  ...readCustomerOfMerchant }),
  dashboardRoute({ get:    '/merchants/:merchantId/customers/:customerId/history', may: 'view',  ...listHistoryOfCustomer }),
  dashboardRoute({ post:   '/merchants/:merchantId/customers/:customerId/adjustments', may: 'adjust_wallets', ...adjustCustomer }),
  dashboardRoute({ get:    '/merchants/:merchantId/search',              may: 'view',            ...searchMerchant }),
]
