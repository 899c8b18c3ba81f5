import { downloadOverview, readOneChecklist, readOneOverview } from './features/activity/dashboard.ts'
import { readProgramOverview } from './features/activity/dashboard-program.ts'
import * as audit from './features/audit/dashboard.ts'
import { rotateOneCheckoutSecret, switchSignedCheckouts } from './features/checkout/dashboard.ts'
import { readDeploymentHealth, readDeploymentMessages } from './features/deployment/dashboard-health.ts'
import { beginLedgerRun, cancelLedgerRun, readLedgerRuns } from './features/deployment/dashboard-ledger.ts'
import * as erasure from './features/erasure/dashboard.ts'
import { askForReport, downloadReport, listReports, readOneReport } from './features/liability/dashboard.ts'
import { listAllMerchants, readOneMerchant } from './features/merchants/dashboard.ts'
import { changeBrand, deleteLogo, putLogo, readBrand } from './features/merchants/dashboard-brand.ts'
import { readKeys, regenerateOneKey, switchKeys } from './features/merchants/dashboard-keys.ts'
import {
  changePaymentSettings,
  readPaymentSettings,
  testPaymentSettings,
} from './features/merchants/dashboard-payment.ts'
import {
  addProgramRate,
  changeProgramSettings,
  createOneProgram,
  readProgramRates,
  readProgramSettings,
} from './features/merchants/dashboard-program-settings.ts'
import { listPrograms, readOneProgram } from './features/merchants/dashboard-programs.ts'
import { changeEarningSettings, readEarningSettings } from './features/merchants/dashboard-settings.ts'
import { addProgramTerms, readOneTerms, readProgramTerms } from './features/merchants/dashboard-terms.ts'
import {
  exportOrders,
  listOrdersOfMerchant,
  previewRefundOfOrder,
  readOrderOfMerchant,
} from './features/orders/dashboard.ts'
import {
  authorizeByHand,
  cancelByHand,
  captureByHand,
  completeByHand,
  refundByHand,
  updateShippingByHand,
} from './features/orders/dashboard-actions.ts'
import { changeFindingOfProgram, listFindingsOfProgram } from './features/payments/dashboard-findings.ts'
import * as people from './features/people/dashboard.ts'
import * as changes from './features/people/dashboard-changes.ts'
import {
  confirmProposal,
  listProgramProposals,
  readProgramProposal,
  rejectProposal,
} from './features/proposals/dashboard.ts'
import { listRequests } from './features/requests/dashboard.ts'
import * as review from './features/review/dashboard.ts'
import {
  exportSettlement,
  exportSettlements,
  exportSettlementsOfProgram,
  listSettlementEntries,
  listSettlements,
  listSettlementsOfProgram,
  readSettlement,
} from './features/settlement/dashboard.ts'
import * as dispute from './features/settlement/dashboard-dispute.ts'
import { listDisputes } from './features/settlement/dashboard-disputes.ts'
import { askForSettlementRun, listSettlementRuns } from './features/settlement/dashboard-runs.ts'
import * as programWebhook from './features/settlement/dashboard-webhook.ts'
import * as account from './features/staff/dashboard-account.ts'
import * as operators from './features/staff/dashboard-operators.ts'
import * as signIn from './features/staff/dashboard-sign-in.ts'
import * as team from './features/staff/dashboard-team.ts'
import {
  adjustCustomer,
  listCustomersOfMerchant,
  listHistoryOfCustomer,
  readCustomerOfMerchant,
} from './features/wallet/dashboard.ts'
import { exportCustomers } from './features/wallet/dashboard-csv.ts'
import { searchMerchant } from './features/wallet/dashboard-search.ts'
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
 * The route table of the dashboard's own API, below `/dashboard/api`: who may use an endpoint is a column. So is `recent`, for
 * what gives out keys, secrets or rights, or says where money and events go: the sign-in must be recent, or confirmed again.
 * `permissions` in src/domain/staff.ts says which roles have which permission.
 */
// biome-ignore format: one row per endpoint, to be read as a table
export const dashboardRoutes: readonly DashboardRoute<Services>[] = [
  dashboardRoute({ get:    '/session',                                   may: 'signed_in',       ...signIn.readSessionRoute }),
  dashboardRoute({ post:   '/sign-in',                                   may: 'anyone',          ...signIn.signInRoute }),
  dashboardRoute({ post:   '/sign-in/second-factor',                     may: 'anyone',          ...signIn.secondFactorRoute }),
  dashboardRoute({ post:   '/sign-in/passkey/options',                   may: 'anyone',          ...signIn.passkeyOptionsRoute }),
  dashboardRoute({ post:   '/sign-in/passkey',                           may: 'anyone',          ...signIn.passkeySignInRoute }),
  dashboardRoute({ post:   '/sign-out',                                  may: 'signed_in',       ...signIn.signOutRoute }),
  dashboardRoute({ post:   '/password/forgot',                           may: 'anyone',          ...signIn.forgotRoute }),
  dashboardRoute({ post:   '/links/open',                                may: 'anyone',          ...signIn.openLinkRoute }),
  dashboardRoute({ post:   '/links/accept',                              may: 'anyone',          ...signIn.acceptLinkRoute }),
  dashboardRoute({ get:    '/sessions',                                  may: 'signed_in',       ...account.listSessionsRoute }),
  dashboardRoute({ post:   '/session/confirm',                           may: 'signed_in',       ...account.confirmRoute }),
  dashboardRoute({ post:   '/session/confirm/passkey',                   may: 'signed_in',       ...account.confirmByPasskeyRoute }),
  dashboardRoute({ delete: '/sessions/:sessionUuid',                     may: 'signed_in',       ...account.endSessionRoute }),
  dashboardRoute({ post:   '/sessions/end-others',                       may: 'signed_in',       ...account.endOthersRoute }),
  dashboardRoute({ get:    '/account',                                   may: 'signed_in',       ...account.readAccountRoute }),
  dashboardRoute({ patch:  '/account',                                   may: 'signed_in',       ...account.changeAccountRoute }),
  dashboardRoute({ post:   '/account/password',                          may: 'signed_in',       ...account.passwordRoute }),
  dashboardRoute({ post:   '/account/totp/begin',                        may: 'signed_in', recent: true, ...account.beginTotpRoute }),
  dashboardRoute({ post:   '/account/totp/confirm',                      may: 'signed_in',       ...account.confirmTotpRoute }),
  dashboardRoute({ post:   '/account/totp/remove',                       may: 'signed_in', recent: true, ...account.removeTotpRoute }),
  dashboardRoute({ post:   '/account/recovery-codes',                    may: 'signed_in', recent: true, ...account.recoveryCodesRoute }),
  dashboardRoute({ get:    '/account/passkeys',                          may: 'signed_in',       ...account.listPasskeysRoute }),
  dashboardRoute({ post:   '/account/passkeys/options',                  may: 'signed_in', recent: true, ...account.passkeyRegistrationRoute }),
  dashboardRoute({ post:   '/account/passkeys',                          may: 'signed_in',       ...account.addPasskeyRoute }),
  dashboardRoute({ delete: '/account/passkeys/:passkeyUuid',             may: 'signed_in', recent: true, ...account.removePasskeyRoute }),
  dashboardRoute({ get:    '/mails',                                     may: 'operator',        ...team.listMailsRoute }),

  dashboardRoute({ get:    '/operator/people',                           may: 'operator',        ...operators.listOperatorsRoute }),
  dashboardRoute({ post:   '/operator/people',                           may: 'operator', recent: true, ...operators.createOperatorRoute }),
  dashboardRoute({ post:   '/operator/people/:staffUuid/recover',        may: 'operator', recent: true, ...operators.recoverOperatorRoute }),
  dashboardRoute({ post:   '/operator/people/:staffUuid/disable',        may: 'operator',        ...operators.disableOperatorRoute }),
  dashboardRoute({ post:   '/operator/people/:staffUuid/enable',         may: 'operator', recent: true, ...operators.enableOperatorRoute }),

  dashboardRoute({ get:    '/programs',                                  may: 'operator',        ...listPrograms }),
  dashboardRoute({ get:    '/programs/:programId',                       may: 'operator',        ...readOneProgram }),
  dashboardRoute({ get:    '/programs/:programId/overview',              may: 'operator',        ...readProgramOverview }),
  dashboardRoute({ get:    '/programs/:programId/settlements',           may: 'operator',        ...listSettlementsOfProgram }),
  dashboardRoute({ get:    '/programs/:programId/settlements.csv',       may: 'operator',        ...exportSettlementsOfProgram }),
  dashboardRoute({ get:    '/programs/:programId/settlement-runs',       may: 'operator',        ...listSettlementRuns }),
  dashboardRoute({ post:   '/programs/:programId/settlement-runs',       may: 'operator',        ...askForSettlementRun }),
  dashboardRoute({ get:    '/programs/:programId/settlements/:settlementUuid', may: 'operator',  ...readSettlement }),
  dashboardRoute({ get:    '/programs/:programId/settlements/:settlementUuid/entries', may: 'operator', ...listSettlementEntries }),
  dashboardRoute({ get:    '/programs/:programId/settlements/:settlementUuid/statement.csv', may: 'operator', ...exportSettlement }),
  dashboardRoute({ get:    '/programs/:programId/merchants/:merchantId/orders/:orderUuid/dispute', may: 'operator', ...dispute.readDispute }),
  dashboardRoute({ post:   '/programs/:programId/merchants/:merchantId/orders/:orderUuid/dispute', may: 'operator', ...dispute.beginDispute }),
  dashboardRoute({ delete: '/programs/:programId/merchants/:merchantId/orders/:orderUuid/dispute', may: 'operator', ...dispute.endDispute }),
  dashboardRoute({ get:    '/programs/:programId/disputes',              may: 'operator',        ...listDisputes }),
  dashboardRoute({ get:    '/programs/:programId/webhook',               may: 'operator',        ...programWebhook.readWebhook }),
  dashboardRoute({ post:   '/programs/:programId/webhook',               may: 'operator', recent: true, ...programWebhook.setWebhook }),
  dashboardRoute({ post:   '/programs/:programId/webhook/rotate',        may: 'operator', recent: true, ...programWebhook.rotateWebhook }),
  dashboardRoute({ post:   '/programs/:programId/webhook/test',          may: 'operator',        ...programWebhook.testWebhook }),
  dashboardRoute({ delete: '/programs/:programId/webhook',               may: 'operator',        ...programWebhook.removeWebhook }),
  dashboardRoute({ post:   '/programs/:programId/settlements/:settlementUuid/tell', may: 'operator', ...programWebhook.notifyOfSettlement }),
  dashboardRoute({ get:    '/merchants/:merchantId/settlements',         may: 'view',            ...listSettlements }),
  dashboardRoute({ get:    '/merchants/:merchantId/settlements.csv',     may: 'view',            ...exportSettlements }),
  dashboardRoute({ get:    '/merchants/:merchantId/settlements/:settlementUuid', may: 'view',    ...readSettlement }),
  dashboardRoute({ get:    '/merchants/:merchantId/settlements/:settlementUuid/entries', may: 'view', ...listSettlementEntries }),
  dashboardRoute({ get:    '/merchants/:merchantId/settlements/:settlementUuid/statement.csv', may: 'view', ...exportSettlement }),
  dashboardRoute({ post:   '/programs',                                  may: 'operator',        ...createOneProgram }),
  dashboardRoute({ get:    '/programs/:programId/settings',              may: 'operator',        ...readProgramSettings }),
  dashboardRoute({ patch:  '/programs/:programId/settings',              may: 'operator',        ...changeProgramSettings }),
  dashboardRoute({ get:    '/programs/:programId/rates',                 may: 'operator',        ...readProgramRates }),
  dashboardRoute({ post:   '/programs/:programId/rates',                 may: 'operator',        ...addProgramRate }),
  dashboardRoute({ get:    '/programs/:programId/terms',                 may: 'operator',        ...readProgramTerms }),
  dashboardRoute({ post:   '/programs/:programId/terms',                 may: 'operator',        ...addProgramTerms }),
  dashboardRoute({ get:    '/programs/:programId/terms/:version',        may: 'operator',        ...readOneTerms }),
  dashboardRoute({ get:    '/programs/:programId/proposals',             may: 'operator',        ...listProgramProposals }),
  dashboardRoute({ get:    '/programs/:programId/proposals/:proposalUuid', may: 'operator',      ...readProgramProposal }),
  dashboardRoute({ post:   '/programs/:programId/proposals/:proposalUuid/confirm', may: 'operator', recent: true, ...confirmProposal }),
  dashboardRoute({ post:   '/programs/:programId/proposals/:proposalUuid/reject', may: 'operator', ...rejectProposal }),
  dashboardRoute({ get:    '/programs/:programId/merchants',             may: 'operator',        ...review.listMerchantsOfProgram }),
  dashboardRoute({ post:   '/programs/:programId/merchants',             may: 'operator', recent: true, ...review.createOneMerchant }),
  dashboardRoute({ get:    '/programs/:programId/merchants/:merchantId', may: 'operator',        ...review.reviewOneMerchant }),
  dashboardRoute({ patch:  '/programs/:programId/merchants/:merchantId', may: 'operator',        ...review.changeStanding }),
  dashboardRoute({ put:    '/programs/:programId/merchants/:merchantId/note', may: 'operator',   ...review.changeNote }),
  dashboardRoute({ put:    '/programs/:programId/merchants/:merchantId/documents/:document', may: 'operator', ...review.tickDocument }),
  dashboardRoute({ post:   '/programs/:programId/merchants/:merchantId/suspend', may: 'operator', ...review.suspendOneMerchant }),
  dashboardRoute({ post:   '/programs/:programId/merchants/:merchantId/resume',  may: 'operator', ...review.resumeOneMerchant }),
  dashboardRoute({ get:    '/operator/health',                           may: 'operator',        ...readDeploymentHealth }),
  dashboardRoute({ get:    '/operator/messages',                         may: 'operator',        ...readDeploymentMessages }),
  dashboardRoute({ get:    '/operator/audit',                            may: 'operator',        ...audit.listDeploymentAudit }),
  dashboardRoute({ get:    '/operator/audit.csv',                        may: 'operator',        ...audit.downloadDeploymentAudit }),
  dashboardRoute({ get:    '/programs/:programId/customers',             may: 'operator',        ...people.listPeople }),
  dashboardRoute({ get:    '/programs/:programId/customers/:customerId', may: 'operator',        ...people.readPerson }),
  dashboardRoute({ get:    '/programs/:programId/customers/:customerId/entries', may: 'operator', ...people.listPersonEntries }),
  dashboardRoute({ get:    '/programs/:programId/customers/:customerId/orders', may: 'operator', ...people.listPersonOrders }),
  dashboardRoute({ post:   '/programs/:programId/customers/:customerId/block', may: 'operator',  ...changes.blockPerson }),
  dashboardRoute({ post:   '/programs/:programId/customers/:customerId/unblock', may: 'operator', ...changes.unblockPerson }),
  dashboardRoute({ get:    '/programs/:programId/customers/:customerId/merge', may: 'operator',  ...changes.previewMergeOfPerson }),
  dashboardRoute({ post:   '/programs/:programId/customers/:customerId/merge', may: 'operator',  ...changes.mergePerson }),
  dashboardRoute({ get:    '/programs/:programId/customers/:customerId/erasure', may: 'operator', ...erasure.readErasure }),
  dashboardRoute({ post:   '/programs/:programId/customers/:customerId/erasure', may: 'operator', ...erasure.askForErasure }),
  dashboardRoute({ delete: '/programs/:programId/customers/:customerId/erasure', may: 'operator', ...erasure.cancelErasure }),
  dashboardRoute({ get:    '/programs/:programId/erasures',              may: 'operator',        ...erasure.listErasures }),
  dashboardRoute({ get:    '/programs/:programId/findings',              may: 'operator',        ...listFindingsOfProgram }),
  dashboardRoute({ patch:  '/programs/:programId/findings/:findingUuid', may: 'operator',        ...changeFindingOfProgram }),
  dashboardRoute({ get:    '/programs/:programId/ledger-runs',           may: 'operator',        ...readLedgerRuns }),
  dashboardRoute({ post:   '/programs/:programId/ledger-runs',           may: 'operator',        ...beginLedgerRun }),
  dashboardRoute({ delete: '/programs/:programId/ledger-runs/:runUuid',  may: 'operator',        ...cancelLedgerRun }),
  dashboardRoute({ get:    '/programs/:programId/audit',                 may: 'operator',        ...audit.listProgramAudit }),
  dashboardRoute({ get:    '/programs/:programId/audit.csv',             may: 'operator',        ...audit.downloadProgramAudit }),
  dashboardRoute({ get:    '/programs/:programId/liability',             may: 'operator',        ...listReports }),
  dashboardRoute({ get:    '/programs/:programId/liability/:day',        may: 'operator',        ...readOneReport }),
  dashboardRoute({ put:    '/programs/:programId/liability/:day',        may: 'operator',        ...askForReport }),
  dashboardRoute({ get:    '/programs/:programId/liability/:day/months.csv', may: 'operator',    ...downloadReport }),

  dashboardRoute({ get:    '/merchants',                                 may: 'operator',        ...listAllMerchants }),
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
  dashboardRoute({ get:    '/merchants/:merchantId/customers.csv',       may: 'view',            ...exportCustomers }),
  dashboardRoute({ get:    '/merchants/:merchantId/customers/:customerId',         may: 'view',  ...readCustomerOfMerchant }),
  dashboardRoute({ get:    '/merchants/:merchantId/customers/:customerId/history', may: 'view',  ...listHistoryOfCustomer }),
  dashboardRoute({ post:   '/merchants/:merchantId/customers/:customerId/adjustments', may: 'adjust_wallets', ...adjustCustomer }),
  dashboardRoute({ get:    '/merchants/:merchantId/search',              may: 'view',            ...searchMerchant }),
  dashboardRoute({ get:    '/merchants/:merchantId/settings',            may: 'view',            ...readEarningSettings }),
  dashboardRoute({ patch:  '/merchants/:merchantId/settings',            may: 'change_settings', ...changeEarningSettings }),
  dashboardRoute({ get:    '/merchants/:merchantId/payment',             may: 'view',            ...readPaymentSettings }),
  dashboardRoute({ put:    '/merchants/:merchantId/payment',             may: 'change_keys', recent: true, ...changePaymentSettings }),
  dashboardRoute({ post:   '/merchants/:merchantId/payment/test',        may: 'change_keys',     ...testPaymentSettings }),
  dashboardRoute({ post:   '/merchants/:merchantId/signed-checkouts',    may: 'change_keys', recent: true, ...switchSignedCheckouts }),
  dashboardRoute({ post:   '/merchants/:merchantId/checkout-secret/rotate', may: 'change_keys', recent: true, ...rotateOneCheckoutSecret }),
  dashboardRoute({ get:    '/merchants/:merchantId/keys',                may: 'view',            ...readKeys }),
  dashboardRoute({ patch:  '/merchants/:merchantId/keys',                may: 'change_keys',     ...switchKeys }),
  dashboardRoute({ post:   '/merchants/:merchantId/keys/regenerate',     may: 'change_keys', recent: true, ...regenerateOneKey }),
  dashboardRoute({ get:    '/merchants/:merchantId/brand',               may: 'view',            ...readBrand }),
  dashboardRoute({ patch:  '/merchants/:merchantId/brand',               may: 'change_settings', ...changeBrand }),
  dashboardRoute({ put:    '/merchants/:merchantId/brand/logo/:shape',   may: 'change_settings', ...putLogo }),
  dashboardRoute({ delete: '/merchants/:merchantId/brand/logo/:shape',   may: 'change_settings', ...deleteLogo }),
  dashboardRoute({ get:    '/merchants/:merchantId/brand/preview',       may: 'view',            ...previewBrand }),
  dashboardRoute({ get:    '/merchants/:merchantId/webhooks',            may: 'view',            ...listMerchantWebhooks }),
  dashboardRoute({ post:   '/merchants/:merchantId/webhooks',            may: 'change_settings', recent: true, ...createMerchantWebhook }),
  dashboardRoute({ patch:  '/merchants/:merchantId/webhooks/:uuid',      may: 'change_settings', recent: true, ...changeMerchantWebhook }),
  dashboardRoute({ delete: '/merchants/:merchantId/webhooks/:uuid',      may: 'change_settings', ...deleteMerchantWebhook }),
  dashboardRoute({ post:   '/merchants/:merchantId/webhooks/:uuid/test', may: 'change_settings', ...testMerchantWebhook }),
  dashboardRoute({ post:   '/merchants/:merchantId/webhooks/:uuid/rotate', may: 'change_settings', recent: true, ...rotateMerchantWebhook }),
  dashboardRoute({ get:    '/merchants/:merchantId/webhooks/:uuid/replay', may: 'view',          ...countMerchantReplay }),
  dashboardRoute({ post:   '/merchants/:merchantId/webhooks/:uuid/replay', may: 'change_settings', ...replayMerchantRange }),
  dashboardRoute({ get:    '/merchants/:merchantId/deliveries',          may: 'view',            ...listMerchantDeliveries }),
  dashboardRoute({ get:    '/merchants/:merchantId/deliveries/:deliveryId', may: 'view',         ...readMerchantDelivery }),
  dashboardRoute({ post:   '/merchants/:merchantId/deliveries/:deliveryId/replay', may: 'change_settings', ...replayMerchantDelivery }),
  dashboardRoute({ get:    '/merchants/:merchantId/overview',            may: 'view',            ...readOneOverview }),
  dashboardRoute({ get:    '/merchants/:merchantId/overview.csv',        may: 'view',            ...downloadOverview }),
  dashboardRoute({ get:    '/merchants/:merchantId/checklist',           may: 'view',            ...readOneChecklist }),

  dashboardRoute({ get:    '/merchants/:merchantId/team',                may: 'view',            ...team.readTeamRoute }),
  dashboardRoute({ post:   '/merchants/:merchantId/team/invitations',    may: 'manage_team', recent: true, ...team.inviteRoute }),
  dashboardRoute({ delete: '/merchants/:merchantId/team/invitations/:linkUuid', may: 'manage_team', ...team.withdrawRoute }),
  dashboardRoute({ patch:  '/merchants/:merchantId/team/:staffUuid',     may: 'manage_team', recent: true, ...team.changeRoleRoute }),
  dashboardRoute({ delete: '/merchants/:merchantId/team/:staffUuid',     may: 'manage_team',     ...team.removeMemberRoute }),
  dashboardRoute({ get:    '/merchants/:merchantId/requests',            may: 'view',            ...listRequests }),
  dashboardRoute({ get:    '/merchants/:merchantId/audit',               may: 'read_audit',      ...audit.listAudit }),
  dashboardRoute({ get:    '/merchants/:merchantId/audit.csv',           may: 'read_audit',      ...audit.downloadAudit }),
]
