import type { ActivityServices } from './features/activity/dashboard.ts'
import type { ProgramOverviewServices } from './features/activity/dashboard-program.ts'
import type { DashboardAuditServices } from './features/audit/dashboard.ts'
import type { SignedCheckoutServices } from './features/checkout/dashboard.ts'
import { type CheckoutServices, openOneCheckout } from './features/checkout/route.ts'
import type { HostedCheckoutServices } from './features/checkout/services.ts'
import type { HistoryServices } from './features/demo/history.ts'
import type { DashboardHealthServices } from './features/deployment/dashboard-health.ts'
import type { DashboardLedgerServices } from './features/deployment/dashboard-ledger.ts'
import type { OnboardingServices } from './features/earning/onboarding.ts'
import {
  type EarningServices,
  earnForProductRating,
  earnForPurchase,
  earnForStoreRating,
} from './features/earning/route.ts'
import type { ErasureServices } from './features/erasure/dashboard.ts'
import type { DashboardLiabilityServices } from './features/liability/dashboard.ts'
import type { DashboardMerchantServices } from './features/merchants/dashboard.ts'
import type { ProgramSettingsServices } from './features/merchants/dashboard-program-settings.ts'
import type { DashboardProgramServices } from './features/merchants/dashboard-programs.ts'
import type { MerchantSettingsServices } from './features/merchants/dashboard-settings.ts'
import type { DashboardTermsServices } from './features/merchants/dashboard-terms.ts'
import { type IntegrationServices, setIntegrationStatus } from './features/merchants/integration-route.ts'
import type { OrderPageServices } from './features/orders/dashboard.ts'
import {
  authorizeOrder,
  cancelOrder,
  captureOrder,
  completeOrder,
  type OrderServices,
  readOneOrder,
  refundOneOrder,
  updateShippingStatus,
} from './features/orders/routes.ts'
import type { RememberedServices } from './features/otp/remembered.ts'
import type { OtpServices } from './features/otp/service.ts'
import type { DashboardFindingServices } from './features/payments/dashboard-findings.ts'
import type { PeopleServices } from './features/people/dashboard.ts'
import type { PeopleChangeServices } from './features/people/dashboard-changes.ts'
import type { ProposalServices } from './features/proposals/dashboard.ts'
import type { DashboardRequestServices } from './features/requests/dashboard.ts'
import type { MerchantReviewServices } from './features/review/dashboard.ts'
import type { DashboardSettlementServices } from './features/settlement/dashboard.ts'
import type { DisputeServices } from './features/settlement/dashboard-dispute.ts'
import type { DashboardRunServices } from './features/settlement/dashboard-runs.ts'
import type { ProgramWebhookServices } from './features/settlement/dashboard-webhook.ts'
import type { StaffServices } from './features/staff/dashboard-parts.ts'
import type { CustomerPageServices } from './features/wallet/dashboard.ts'
import type { WalletSessionServices } from './features/wallet/session.ts'
import type { DashboardWebhookServices } from './features/webhooks/dashboard.ts'
import {
  createOneWebhook,
  deleteOneWebhook,
  listWebhooks,
  readOneWebhook,
  updateOneWebhook,
  type WebhookServices,
} from './features/webhooks/route.ts'
import { buildOpenApi } from './http/api/openapi.ts'
import { type Route, route } from './http/api/route.ts'
import type { Pages } from './http/pages/page.ts'
import { cardPage } from './pages/card/frame.ts'
import { cardWindowPage } from './pages/card/window.ts'
import type { CardWindowServices } from './pages/card/window-screens.ts'
import { type CheckoutPageServices, checkoutPage } from './pages/checkout/page.ts'
import { dashboardPages, loadDashboard } from './pages/dashboard.ts'
import { demoDonePage } from './pages/demo/done.ts'
import { type DemoServices, demoProductPage, storefrontPage } from './pages/demo/page.ts'
import { demoReceiver } from './pages/demo/receiver.ts'
import { assetPage, loadAssets } from './pages/design/assets.ts'
import { type BrandServices, logoPage } from './pages/design/brand.ts'
import { showFailure } from './pages/design/failure.ts'
import type { ApiDescription } from './pages/docs/description.ts'
import { docsPages } from './pages/docs/page.ts'
import { type FrontServices, frontPage } from './pages/front/page.ts'
import { rootFiles } from './pages/front/root-files.ts'
import { type TermsServices, termsPage } from './pages/identity/terms.ts'
import {
  checkoutReturn,
  moyasarWebhook,
  type PaymentReportServices,
  paymentCallback,
} from './pages/payments/reports.ts'
import { type SandboxPaymentServices, sandboxPaymentPage } from './pages/payments/sandbox.ts'
import { walletDataPage } from './pages/wallet/data.ts'
import { walletHomePage } from './pages/wallet/page.ts'
import type { WalletServices } from './pages/wallet/session.ts'
import { walletStatementPage } from './pages/wallet/statement.ts'
import { type WidgetServices, widgetRatePage, widgetScriptPage } from './pages/widget/page.ts'
import { type PlaygroundServices, playgroundPage } from './pages/widget/playground.ts'

/** What the handlers of all routes and pages need; `services.ts` makes it. */
export type Services = ActivityServices &
  BrandServices &
  CardWindowServices &
  CheckoutServices &
  CheckoutPageServices &
  DashboardWebhookServices &
  CustomerPageServices &
  DashboardAuditServices &
  DashboardFindingServices &
  DashboardHealthServices &
  DashboardLedgerServices &
  ErasureServices &
  DashboardMerchantServices &
  DashboardTermsServices &
  ProgramSettingsServices &
  PeopleServices &
  PeopleChangeServices &
  ProposalServices &
  DashboardProgramServices &
  ProgramOverviewServices &
  MerchantReviewServices &
  DashboardLiabilityServices &
  DashboardRequestServices &
  DemoServices &
  EarningServices &
  FrontServices &
  HistoryServices &
  HostedCheckoutServices &
  IntegrationServices &
  MerchantSettingsServices &
  OnboardingServices &
  OrderPageServices &
  DashboardSettlementServices &
  DashboardRunServices &
  DisputeServices &
  ProgramWebhookServices &
  OrderServices &
  OtpServices &
  PaymentReportServices &
  PlaygroundServices &
  SandboxPaymentServices &
  SignedCheckoutServices &
  StaffServices &
  TermsServices &
  WalletServices &
  WalletSessionServices &
  RememberedServices &
  WebhookServices &
  WidgetServices

/**
 * THE ROUTE TABLE: one row says everything about an endpoint except what its handler does. docs/spec/api.md#endpoints
 */
// biome-ignore format: one row per endpoint, to be read as a table
export const routes: readonly Route<Services>[] = [
  route({ post:   '/v1/orders/earning',                 key: 'private', standing: 'published', flow: 'earning',        ...earnForPurchase }),
  route({ post:   '/v1/orders/earning/product-rating',  key: 'private', standing: 'published', flow: 'product_rating', ...earnForProductRating }),
  route({ post:   '/v1/orders/earning/store-rating',    key: 'private', standing: 'published', flow: 'store_rating',   ...earnForStoreRating }),
  route({ post:   '/v1/orders/checkout/:publicKey',     key: 'public',  standing: 'published', flow: 'checkout', cors: 'any', idempotency_keeps: 'successes', ...openOneCheckout }),
  route({ get:    '/v1/orders/:orderUuid',              key: 'private', ...readOneOrder }),
  route({ post:   '/v1/orders/:orderUuid/authorize',    key: 'private', ...authorizeOrder }),
  route({ post:   '/v1/orders/:orderUuid/capture',      key: 'private', ...captureOrder }),
  route({ post:   '/v1/orders/:orderUuid/complete',     key: 'private', ...completeOrder }),
  route({ post:   '/v1/orders/:orderUuid/cancel',       key: 'private', ...cancelOrder }),
  route({ post:   '/v1/orders/:orderUuid/refund',       key: 'private', ...refundOneOrder }),
  route({ post:   '/v1/orders/:orderUuid/status',       key: 'private', ...updateShippingStatus }),
  route({ post:   '/v1/webhooks',                       key: 'private', ...createOneWebhook }),
  route({ get:    '/v1/webhooks',                       key: 'private', ...listWebhooks }),
  route({ get:    '/v1/webhooks/:uuid',                 key: 'private', ...readOneWebhook }),
  route({ put:    '/v1/webhooks/:uuid',                 key: 'private', ...updateOneWebhook }),
  route({ patch:  '/v1/webhooks/:uuid',                 key: 'private', ...updateOneWebhook }),
  route({ delete: '/v1/webhooks/:uuid',                 key: 'private', ...deleteOneWebhook }),
  route({ post:   '/v1/integration/status',             key: 'private', ...setIntegrationStatus }),
]

/** The pages for people, outside of `/api`. */
export const pages: Pages<Services> = {
  rows: [
    frontPage,
    ...rootFiles,
    storefrontPage,
    demoDonePage,
    demoReceiver,
    demoProductPage,
    checkoutPage,
    checkoutReturn,
    paymentCallback,
    moyasarWebhook,
    sandboxPaymentPage,
    walletHomePage,
    walletStatementPage,
    walletDataPage,
    termsPage,
    ...docsPages(() => buildOpenApi(routes) as ApiDescription),
    assetPage,
    logoPage,
    widgetScriptPage,
    widgetRatePage,
    cardPage,
    cardWindowPage,
    playgroundPage,
    ...dashboardPages,
  ],
  prepare() {
    loadAssets()
    loadDashboard()
  },
  showFailure: (failed, status, locale, { again, services: { operator } }) =>
    showFailure(failed, status, locale, { again, operator }),
}
