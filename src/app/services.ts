import type { Environment } from '../config/config.ts'
import type { PaymentSettings } from '../config/providers.ts'
import { isDatabaseUnavailable } from '../db/failure.ts'
import type { Database } from '../db/pool.ts'
import { createReadiness } from '../db/readiness.ts'
import { type MessageBounds, standard_bounds } from '../domain/limit.ts'
import type { Operator } from '../domain/operator.ts'
import { readChecklist } from '../features/activity/checklist.ts'
import { readOverview } from '../features/activity/overview.ts'
import { createReadProgramFigures } from '../features/activity/program-overview.ts'
import { createListMerchantChanges, createListProgramChanges } from '../features/audit/pages.ts'
import { createSignedCheckouts } from '../features/checkout/dashboard.ts'
import { createCheckRequest, createLimitCheckouts, createOpenCheckout } from '../features/checkout/open.ts'
import { createHostedCheckout } from '../features/checkout/services.ts'
import { createShopApi } from '../features/demo/route.ts'
import { createDemoShop } from '../features/demo/shop.ts'
import { createReadDemoStores } from '../features/demo/stores.ts'
import { readHealth } from '../features/deployment/health.ts'
import { createLedgerRuns } from '../features/deployment/ledger-runs.ts'
import { createReadMessages } from '../features/deployment/messages.ts'
import { createOnboarding } from '../features/earning/onboarding.ts'
import { createEarn } from '../features/earning/service.ts'
import { createErasureRequests } from '../features/erasure/requests.ts'
import { createBeginOnce } from '../features/idempotency/service.ts'
import { createLiability } from '../features/liability/service.ts'
import { type BudgetParts, createMessageBudget, type MessageBudget } from '../features/limits/message-budget.ts'
import { countingMails, createCountMessage } from '../features/limits/message-counts.ts'
import { createLimits, type Limits } from '../features/limits/service.ts'
import { createAuthenticate } from '../features/merchants/authenticate.ts'
import { createReadLogo } from '../features/merchants/brand.ts'
import { createSetIntegration } from '../features/merchants/integration-route.ts'
import { createFindMerchants, createProgramMerchants } from '../features/merchants/list.ts'
import { rateExecutor, ruleExecutor } from '../features/merchants/program-settings.ts'
import { createPagePrograms, createProgramSettings } from '../features/merchants/programs.ts'
import { createMerchantSettings, type MerchantSettingsParts } from '../features/merchants/settings.ts'
import { createReadSuspension } from '../features/merchants/suspension.ts'
import { createTerms } from '../features/merchants/terms.ts'
import { createReadTrialKey, createWidget } from '../features/merchants/widget.ts'
import { createOrderPages } from '../features/orders/dashboard.ts'
import { createMoveOrder } from '../features/orders/move.ts'
import { createRefundOrder } from '../features/orders/refund.ts'
import { createReadOrder } from '../features/orders/service.ts'
import { createTranslateLabel, createUpdateShipping } from '../features/orders/shipping.ts'
import { createRememberedBrowsers } from '../features/otp/remembered.ts'
import { createOtp } from '../features/otp/service.ts'
import { createFindings } from '../features/payments/findings.ts'
import { createReceiveReports } from '../features/payments/reports.ts'
import { createSandboxPage } from '../features/payments/sandbox.ts'
import { createPeopleChanges } from '../features/people/dashboard-changes.ts'
import { createPeople } from '../features/people/pages.ts'
import { createProposals, type ProposalExecutors } from '../features/proposals/service.ts'
import { createListRequests } from '../features/requests/list.ts'
import { createMerchantReview } from '../features/review/service.ts'
import { createDisputes } from '../features/settlement/exclusion.ts'
import { createProgramWebhooks } from '../features/settlement/program-webhook.ts'
import { closeExecutor } from '../features/settlement/propose.ts'
import { createSettlementRuns } from '../features/settlement/runs.ts'
import { createSettlementPages } from '../features/settlement/statement.ts'
import { createStaff } from '../features/staff/create.ts'
import type { PasswordCost } from '../features/staff/passwords.ts'
import { adjustmentExecutor, createAdjustByStaff } from '../features/wallet/adjust.ts'
import { createCards } from '../features/wallet/card.ts'
import { createCustomerPages } from '../features/wallet/dashboard-customers.ts'
import { createWalletService } from '../features/wallet/service.ts'
import { createWalletSessions } from '../features/wallet/session.ts'
import { createWebhookLog } from '../features/webhooks/merchant-log.ts'
import { createWebhooks } from '../features/webhooks/service.ts'
import type { Authenticate } from '../http/api/auth.ts'
import type { FrameDeps } from '../http/frame.ts'
import { createFormKeys } from '../http/pages/form.ts'
import { atMostEvery } from '../lib/at-most-every.ts'
import type { Clock } from '../lib/clock.ts'
import { createSecretBox, type SecretBox } from '../lib/secrets.ts'
import type { MailSender } from '../providers/mail/port.ts'
import type { Services } from '../routes.ts'
import { createDashboardAuth } from './dashboard-auth.ts'
import { createShownMail, type Ports } from './ports.ts'

/** The dependencies of the services besides a database. */
export interface ServiceParts extends Ports {
  readonly environment: Environment
  readonly clock: Clock
  /** Who runs the deployment. */
  readonly operator?: Operator
  readonly lock_window_s: number
  readonly checkout_ttl_s: number
  /** Checkouts that strangers may open from one address for one merchant. */
  readonly checkouts_per_hour?: number
  /** Without a trailing slash. */
  readonly public_url: string
  readonly secret_key: string
  /** The deployment's own credentials at payment providers. */
  readonly payment?: PaymentSettings
  /** Called after staff have replaced the keys of a merchant. */
  readonly onKeysReplaced?: MerchantSettingsParts['onKeysReplaced']
  /** The other key, while the secret key is changed. */
  readonly secret_key_old?: string | undefined
  /** Counts messages; without it the services make one with the standard limits. */
  readonly budget?: MessageBudget
  /** Gives the observer of batch sizes for a kind of batch. */
  readonly batches?: (kind: string) => (size: number) => void
  /** How long a translation may take. */
  readonly translation_budget_ms?: number
  /** What a password of the dashboard costs to check; tests take less. */
  readonly password_cost?: PasswordCost
  /** How long the requests of a process that died keep their Idempotency-Keys. */
  readonly lease_ms?: number
}

/** Makes the dependencies of a server: once for each process, and for each server of a test. */
export function createDeps(db: Database, parts: ServiceParts): FrameDeps<Services> {
  const { clock, secret_key, secret_key_old, batches, lease_ms, onAnswerNotStored } = parts
  const secrets = createSecretBox(secret_key, secret_key_old)
  const authenticate = createAuthenticate(db, batches?.('keys'))
  const once = { db, clock, secrets }
  return {
    services: createServices(db, parts, {
      secrets,
      authenticate,
      limits: createLimits({ db, secrets }),
      budget: parts.budget ?? createBudget(db, { ...parts, secrets }),
    }),
    authenticate,
    beginOnce: createBeginOnce({
      ...once,
      ...(lease_ms === undefined ? {} : { lease_ms }),
      ...(onAnswerNotStored === undefined ? {} : { onError: onAnswerNotStored }),
    }),
    dashboard: createDashboardAuth(db, parts.public_url),
    forms: createFormKeys(secrets, parts.public_url),
    isDatabaseUnavailable,
    ready: createReadiness(db),
  }
}

const nobody: Operator = { name: null, contact: null }

/** What several services share. */
interface Shared {
  readonly secrets: SecretBox
  readonly authenticate: Authenticate
  readonly limits: Limits
  readonly budget: MessageBudget
}

function createServices(db: Database, parts: ServiceParts, shared: Shared): Services {
  const { secrets, authenticate, limits, budget } = shared
  const { clock, batches, lock_window_s, checkout_ttl_s, public_url, webhook, payments, sms, onUnsent } = parts
  const observe = batches === undefined ? {} : { observe: batches('earning') }
  const readOrder = createReadOrder(db)
  const { environment, onOddPayment } = parts
  const rememberedBrowsers = createRememberedBrowsers(db, clock)
  const pay = { payments, public_url, environment, onOddPayment, rememberedBrowsers }
  const checkout = createHostedCheckout({ db, clock, limits, ...pay })
  const readDemoStores = createReadDemoStores(db)
  const api = {
    clock,
    readOrder,
    earn: createEarn({ db, clock, lock_window_s, ...observe }),
    moveOrder: createMoveOrder({ db, clock }),
    refundOrder: createRefundOrder({ db, clock }),
    updateShipping: createUpdateShipping({ db, clock, readOrder, translateLabel: createTranslation(db, parts) }),
    checkRequest: createCheckRequest({ db, secrets, environment }),
    limitCheckouts: createLimitCheckouts({ limits, authenticate, checkouts_per_hour: parts.checkouts_per_hour }),
    openCheckout: createOpenCheckout({ db, clock, checkout_ttl_s, public_url }),
  }
  const demo = { db, limits, readDemoStores, readOrder, public_url, api: createShopApi(api) }
  return {
    ...api,
    ...createOtp({
      db,
      secrets,
      sms,
      budget,
      host: new URL(public_url).hostname,
      countMessage: createCountMessage(db),
      ...(onUnsent === undefined ? {} : { onUnsent }),
    }),
    ...createOnboarding({ db, clock }),
    ...{ walletSessions: createWalletSessions(db), cards: createCards(db), rememberedBrowsers },
    ...createWalletService(db, clock),
    programTerms: createTerms({ db, clock }),
    environment,
    findMerchants: createFindMerchants(db),
    pagePrograms: createPagePrograms(db),
    programMerchants: createProgramMerchants(db),
    operator: parts.operator ?? nobody,
    public_url,
    ...checkout,
    receiveReports: createReceiveReports({ db, payments, askProvider: checkout.askProvider }),
    sandboxPage:
      environment === 'sandbox' ? createSandboxPage({ db, clock, report: checkout.settlePayment }) : undefined,
    paymentOrigins: async (merchant) => (await payments.of(merchant, merchant.payment_provider))?.page_origins ?? [],
    setIntegration: createSetIntegration(db),
    staff: createStaff({ ...parts, db, secrets, limits, mail: createCountedMail(db, parts, secrets) }),
    readLogo: createReadLogo(db),
    readDemoStores,
    demoApi: demo.api,
    demoShop: environment === 'sandbox' ? createDemoShop(demo) : undefined,
    ...createWidget({ db, clock, environment, findMerchant: authenticate }),
    readTrialKey: createReadTrialKey(db),
    webhooks: createWebhooks({ db, clock, secrets, ...webhook }),
    ...createDashboardServices(db, parts, shared),
  }
}

/** Makes the changes that a second person has confirmed. */
const proposalExecutors: ProposalExecutors = {
  'program.rate': rateExecutor,
  'program.set': ruleExecutor,
  'settlement.close': closeExecutor,
  'wallet.adjust': adjustmentExecutor,
}

/** Sends the mails of the dashboard, and counts them. */
function createCountedMail(
  db: Database,
  { mail, environment }: ServiceParts,
  secrets: SecretBox,
): MailSender | undefined {
  const sender = mail ?? createShownMail(db, environment, secrets)
  return sender && countingMails(sender, createCountMessage(db))
}

/** What only pages of the dashboard need. */
function createDashboardServices(db: Database, parts: ServiceParts, shared: Shared) {
  const { clock, environment } = parts
  const { secrets, limits } = shared
  return {
    customerPages: createCustomerPages(db, clock),
    readSuspension: createReadSuspension(db),
    adjustByStaff: createAdjustByStaff({ db, clock }),
    orderPages: createOrderPages(db, clock),
    settlementPages: createSettlementPages(db),
    settlementRuns: createSettlementRuns(db, clock),
    disputes: createDisputes(db, clock),
    programWebhooks: createProgramWebhooks({ db, secrets, ...parts.webhook }),
    liability: createLiability({ db, clock }),
    programSettings: createProgramSettings({ db, clock, environment }),
    proposals: createProposals({ db, clock, executors: proposalExecutors }),
    listRequests: createListRequests(db),
    listMerchantChanges: createListMerchantChanges(db),
    listProgramChanges: createListProgramChanges(db),
    ...createOperatorServices(db, parts, shared),
    readOverview: (merchant, compared) => readOverview(db, merchant, compared),
    readProgramFigures: createReadProgramFigures(db),
    readChecklist: (merchant) => readChecklist(db, merchant),
    webhookLog: createWebhookLog({ db, clock, secrets, limits }),
    merchantReview: createMerchantReview({ db, clock, environment }),
    merchantSettings: createMerchantSettings({ ...parts, db, secrets, limits }),
    signedCheckouts: createSignedCheckouts({ db, clock, secrets, environment }),
  } satisfies Partial<Services>
}

/** What operators see of the deployment, and of the books. */
function createOperatorServices(db: Database, { clock, sms }: ServiceParts, { budget }: Pick<Shared, 'budget'>) {
  return {
    findings: createFindings(db),
    people: createPeople(db, clock),
    peopleChanges: createPeopleChanges({ db, clock }),
    erasureRequests: createErasureRequests(db),
    ledgerRuns: createLedgerRuns(db),
    // Operators share one answer, however many of them look.
    readHealth: atMostEvery(health_ms, () => readHealth(db)),
    readMessages: createReadMessages({ db, budget, sms }),
  } satisfies Partial<Services>
}

/** How often the health of the deployment is asked for at most. */
const health_ms = 2_000

export interface MessageBudgetParts extends Pick<ServiceParts, 'environment' | 'clock' | 'sms'> {
  readonly secrets: SecretBox
  readonly message_bounds?: MessageBounds
  readonly onMessagesUsed?: BudgetParts['onUsed']
}

/** Makes the message budget of a process. In a sandbox that sends none, limits follow the sandbox's clock. */
export function createBudget(db: Database, parts: MessageBudgetParts): MessageBudget {
  const { environment, clock, sms, secrets, message_bounds: bounds = standard_bounds, onMessagesUsed: onUsed } = parts
  const follows = environment === 'sandbox' && !sms.reaches_phones
  const limits = createLimits({ db, secrets, ...(follows ? { clock } : {}) })
  return createMessageBudget({ limits, bounds, ...(onUsed === undefined ? {} : { onUsed }) })
}

function createTranslation(db: Database, { clock, translator, onUntranslated, translation_budget_ms }: ServiceParts) {
  return createTranslateLabel({
    db,
    clock,
    translator,
    ...(onUntranslated === undefined ? {} : { onFailure: onUntranslated }),
    ...(translation_budget_ms === undefined ? {} : { budget_ms: translation_budget_ms }),
  })
}
