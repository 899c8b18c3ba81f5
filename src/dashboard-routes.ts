import { rotateOneCheckoutSecret, switchSignedCheckouts } from './features/checkout/dashboard.ts'
import { readOneMerchant } from './features/merchants/dashboard.ts'
import { changeBrand, deleteLogo, putLogo, readBrand } from './features/merchants/dashboard-brand.ts'
import { readKeys, regenerateOneKey, switchKeys } from './features/merchants/dashboard-keys.ts'
import {
  changePaymentSettings,
  readPaymentSettings,
  testPaymentSettings,
} from './features/merchants/dashboard-payment.ts'
import { changeEarningSettings, readEarningSettings } from './features/merchants/dashboard-settings.ts'
import {
  changeMerchantWebhook,
  createMerchantWebhook,
  deleteMerchantWebhook,
  listMerchantWebhooks,
  rotateMerchantWebhook,
  testMerchantWebhook,
} from './features/webhooks/dashboard.ts'
import {
  countMerchantReplay,
  listMerchantDeliveries,
  readMerchantDelivery,
  replayMerchantDelivery,
  replayMerchantRange,
} from './features/webhooks/dashboard-deliveries.ts'
import { type DashboardRoute, dashboardRoute } from './http/dashboard/route.ts'
import { previewBrand } from './pages/checkout/preview.ts'
import type { Services } from './routes.ts'

/**
 * The route table of the dashboard's own API, below `/dashboard/api`: who may use an endpoint is a column.
 * `permissions` in src/domain/staff.ts says which roles have which permission.
 */
// biome-ignore format: one row per endpoint, to be read as a table
export const dashboardRoutes: readonly DashboardRoute<Services>[] = [
  dashboardRoute({ get:    '/merchants/:merchantId',                     may: 'view',            ...readOneMerchant }),
  dashboardRoute({ get:    '/merchants/:merchantId/settings',            may: 'view',            ...readEarningSettings }),
  dashboardRoute({ patch:  '/merchants/:merchantId/settings',            may: 'change_settings', ...changeEarningSettings }),
  dashboardRoute({ get:    '/merchants/:merchantId/payment',             may: 'view',            ...readPaymentSettings }),
  dashboardRoute({ put:    '/merchants/:merchantId/payment',             may: 'change_settings', ...changePaymentSettings }),
  dashboardRoute({ post:   '/merchants/:merchantId/payment/test',        may: 'change_settings', ...testPaymentSettings }),
  dashboardRoute({ post:   '/merchants/:merchantId/signed-checkouts',    may: 'change_keys',     ...switchSignedCheckouts }),
  dashboardRoute({ post:   '/merchants/:merchantId/checkout-secret/rotate', may: 'change_keys',  ...rotateOneCheckoutSecret }),
  dashboardRoute({ get:    '/merchants/:merchantId/keys',                may: 'view',            ...readKeys }),
  dashboardRoute({ patch:  '/merchants/:merchantId/keys',                may: 'change_keys',     ...switchKeys }),
  dashboardRoute({ post:   '/merchants/:merchantId/keys/regenerate',     may: 'change_keys',     ...regenerateOneKey }),
  dashboardRoute({ get:    '/merchants/:merchantId/brand',               may: 'view',            ...readBrand }),
  dashboardRoute({ patch:  '/merchants/:merchantId/brand',               may: 'change_settings', ...changeBrand }),
  dashboardRoute({ put:    '/merchants/:merchantId/brand/logo/:shape',   may: 'change_settings', ...putLogo }),
  dashboardRoute({ delete: '/merchants/:merchantId/brand/logo/:shape',   may: 'change_settings', ...deleteLogo }),
  dashboardRoute({ get:    '/merchants/:merchantId/brand/preview',       may: 'view',            ...previewBrand }),
  dashboardRoute({ get:    '/merchants/:merchantId/webhooks',            may: 'view',            ...listMerchantWebhooks }),
  dashboardRoute({ post:   '/merchants/:merchantId/webhooks',            may: 'change_settings', ...createMerchantWebhook }),
  dashboardRoute({ patch:  '/merchants/:merchantId/webhooks/:uuid',      may: 'change_settings', ...changeMerchantWebhook }),
  dashboardRoute({ delete: '/merchants/:merchantId/webhooks/:uuid',      may: 'change_settings', ...deleteMerchantWebhook }),
  dashboardRoute({ post:   '/merchants/:merchantId/webhooks/:uuid/test', may: 'change_settings', ...testMerchantWebhook }),
  dashboardRoute({ post:   '/merchants/:merchantId/webhooks/:uuid/rotate', may: 'change_settings', ...rotateMerchantWebhook }),
  dashboardRoute({ get:    '/merchants/:merchantId/webhooks/:uuid/replay', may: 'view',          ...countMerchantReplay }),
  dashboardRoute({ post:   '/merchants/:merchantId/webhooks/:uuid/replay', may: 'change_settings', ...replayMerchantRange }),
  dashboardRoute({ get:    '/merchants/:merchantId/deliveries',          may: 'view',            ...listMerchantDeliveries }),
  dashboardRoute({ get:    '/merchants/:merchantId/deliveries/:deliveryId', may: 'view',         ...readMerchantDelivery }),
  dashboardRoute({ post:   '/merchants/:merchantId/deliveries/:deliveryId/replay', may: 'change_settings', ...replayMerchantDelivery }),
]
