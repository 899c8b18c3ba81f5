// Generated from the migrations by `npm run generate`. Do not edit.
import type { Generated, GeneratedAlways } from 'kysely'
import type { Uuid } from '../domain/ids.ts'

export interface AccountTable {
  program_id: number
  account_id: Uuid
  kind: string
  customer_id: Uuid | null
  merchant_id: number | null
  posted: number | null
  held: number | null
  version: number | null
  created_at: Date
  blocked_at: Date | null
  blocked_by: string | null
  blocked_reason: string | null
  merged_into: Uuid | null
  merged_at: Date | null
  erased_at: Date | null
  given_up_phone: string | null
}

export interface ActivityDayTable {
  program_id: number
  generation: number
  merchant_id: number
  day: string
  purchases: number
  ratings: number
  checkouts: number
  refunds: number
  sales_halalas: number
  redeemed_halalas: number
  refunded_halalas: number
  issued_points: number
  redeemed_points: number
  reversed_points: number
  returned_points: number
  new_customers: number
  returning_customers: number
}

export interface ActivityProgramTable {
  program_id: number
  generation: number
  counted_to: Uuid
  building: boolean
  build_step: string | null
  build_after: Uuid | null
  created_at: Date
  updated_at: Date
}

export interface ActivityWindowTable {
  program_id: number
  from_id: Uuid
  to_id: Uuid
  counted: number
}

export interface ApiKeyTable {
  program_id: number
  merchant_id: number
  public_key: string
  private_key_hash: Buffer
  status: Generated<boolean>
  integration_active: Generated<boolean>
  created_at: Date
  private_key_created_at: Date | null
}

export interface AuditTable {
  program_id: number
  audit_id: Uuid
  source: string
  actor: string
  action: string
  object: string
  before: unknown | null
  after: unknown | null
  created_at: Date
}

export interface CardSessionTable {
  program_id: number
  card_uuid: Uuid
  merchant_id: number
  token_hash: Buffer
  phone: string
  customer_id: Uuid | null
  stage: string
  challenge: Buffer | null
  offers_until: Date | null
  created_at: Date
  expires_at: Date
}

export interface CheckoutSessionTable {
  program_id: number
  session_uuid: Uuid
  merchant_id: number
  order_uuid: Uuid
  token_hash: Buffer
  phone: string | null
  name: string | null
  callback_url: string | null
  state: Generated<string>
  expires_at: Date
  created_at: Date
  updated_at: Date
  browser_hash: Buffer | null
  proven_phone: string | null
  proven_at: Date | null
  confirmed_at: Date | null
  release_at: Date | null
  collector: string | null
  stored_bytes: Generated<number>
  kept_at: Date | null
  locale: string | null
  continued_at: Date | null
  joined_name: string | null
  joined_terms: string | null
  joined_locale: string | null
  remembered_uuid: Uuid | null
}

export interface ConsentTable {
  program_id: number
  consent_uuid: Uuid
  customer_id: Uuid
  terms_version: string
  locale: string
  source: string
  created_at: Date
}

export interface CustomerTable {
  program_id: number
  customer_id: Uuid
  phone: string | null
  name: string | null
  status: string
  created_at: Date
  activated_at: Date | null
  erased_at: Date | null
}

export interface DeliveryTable {
  program_id: number
  delivery_id: Uuid
  event_id: Uuid
  merchant_id: number
  webhook_uuid: Uuid
  order_uuid: Uuid
  state: string
  series: number
  attempts: number
  created_at: Date
  ended_at: Date
}

export interface DeliveryAttemptTable {
  program_id: number
  delivery_id: Uuid
  series: number
  attempt: number
  started_at: Date
  duration_ms: number | null
  status: number | null
  response: string | null
  error: string | null
  error_code: string | null
}

export interface DeliveryQueueTable {
  program_id: number
  delivery_id: Uuid
  event_id: Uuid
  merchant_id: number
  webhook_uuid: Uuid
  order_uuid: Uuid
  series: number
  attempts: number
  due_at: Date
  leased_until: Date | null
  created_at: Date
}

export interface DeploymentTable {
  singleton: Generated<boolean>
  environment: string
  clock_offset_s: Generated<number>
  created_at: Date
  secret_canary: Buffer | null
  backed_up_at: Date | null
}

export interface EarningLockTable {
  program_id: number
  merchant_id: number
  closing_to: Date | null
  settled_to: Date | null
  settled_points: Generated<string>
}

export interface EntryTable {
  program_id: number
  transfer_id: Uuid
  line: number
  account_id: Uuid
  bucket: Generated<string>
  amount: number
  balance_after: number | null
  account_version: number | null
  created_at: Date
  kind: string | null
  micro_sar_per_point: number | null
}

export interface ErasureRequestTable {
  program_id: number
  request_uuid: Uuid
  customer_id: Uuid
  reason: string | null
  asked_by: string
  asked_uuid: Uuid | null
  state: Generated<string>
  attempts: Generated<number>
  due_at: Date
  obstacle: string | null
  order_uuid: Uuid | null
  ended_by: string | null
  created_at: Date
  ended_at: Date | null
  orders: Uuid[] | null
}

export interface EventTable {
  program_id: number
  event_id: Uuid
  merchant_id: number
  order_uuid: Uuid
  name: string
  payload: unknown
  created_at: Date
}

export interface HoldTable {
  program_id: number
  hold_id: Uuid
  account_id: Uuid
  order_uuid: Uuid
  points: number
  state: Generated<string>
  hold_transfer_id: Uuid
  end_transfer_id: Uuid | null
  created_at: Date
  ended_at: Date | null
}

export interface IdempotencyTable {
  program_id: number
  merchant_id: number
  key_hash: Buffer
  route: string
  body_hash: Buffer
  request_uuid: Uuid
  owner: Uuid
  leased_until: Date
  status: number | null
  answer: Buffer | null
  created_at: Date
}

export interface LedgerRunTable {
  program_id: number
  run_uuid: Uuid
  state: Generated<string>
  asked_by: string
  asked_at: Date
  started_at: Date | null
  ended_at: Date | null
  leased_until: Date | null
  attempts: Generated<number>
  cancelled_by: string | null
  step: string | null
  transfers: Generated<number>
  entries: Generated<number>
  wallets: Generated<number>
  expected_entries: number | null
  differences: number | null
  shown: unknown | null
  error: string | null
}

export interface LiabilityMonthTable {
  program_id: number
  day: string
  month: string
  issued_points: string
  returned_points: string
  redeemed_points: string
  reversed_points: string
  adjusted_points: string
  kept_points: string
  left_points: string
  left_micro_sar: string
}

export interface LiabilityReportTable {
  program_id: number
  day: string
  until: Date
  step: string | null
  after_id: Uuid | null
  ties: boolean | null
  wallet_entries: number
  entries_read: number
  wallets: number
  wallets_below_zero: number
  owed_points: string
  receivable_points: string
  held_points: string
  micro_sar_per_point: number
  first_micro_sar_per_point: number
  created_at: Date
  updated_at: Date
  completed_at: Date | null
}

export interface LimitCounterTable {
  key_hash: Buffer
  times: Date[]
  counts: number[]
  kept_until: Date
}

export interface MerchantTable {
  program_id: number
  merchant_id: GeneratedAlways<number>
  account_id: Uuid
  name: string
  verified: Generated<boolean>
  published: Generated<boolean>
  earning_on: Generated<boolean>
  product_rating_on: Generated<boolean>
  store_rating_on: Generated<boolean>
  checkout_on: Generated<boolean>
  points_per_sar_e4: Generated<number>
  product_rating_points: Generated<number>
  store_rating_points: Generated<number>
  refund_window_days: Generated<number>
  payment_provider: string
  created_at: Date
  updated_at: Date
  payment_flow: Generated<string>
  colour: string | null
  signed_checkouts: Generated<boolean>
  checkout_secret: Buffer | null
  return_hosts: Generated<string[]>
  name_ar: string | null
  verified_at: Date | null
  verified_by: string | null
  suspended_at: Date | null
  suspended_by: string | null
  suspended_reason: string | null
  published_before: boolean | null
  payment_methods: Generated<string[]>
  demo_place: number | null
}

export interface MerchantAuditTable {
  program_id: number
  merchant_id: number
  audit_id: Uuid
}

export interface MerchantCustomerTable {
  program_id: number
  generation: number
  merchant_id: number
  customer_id: Uuid
  orders: number
  first_at: Date
  second_at: Date | null
  last_at: Date
  sales_halalas: number
  earned_points: number
  redeemed_points: number
}

export interface MerchantDocumentTable {
  program_id: number
  merchant_id: number
  document: string
  note: string
  seen_by: string | null
  seen_at: Date | null
}

export interface MerchantLogoTable {
  program_id: number
  merchant_id: number
  digest: string
  media_type: string
  content: Buffer
  created_at: Date
}

export interface MerchantNoteTable {
  program_id: number
  merchant_id: number
  note: string
  changed_by: string
  changed_at: Date
}

export interface MerchantPaymentAccountTable {
  program_id: number
  merchant_id: number
  provider: string
  credentials: Buffer
  updated_at: Date
}

export interface MerchantWideLogoTable {
  program_id: number
  merchant_id: number
  digest: string
  media_type: string
  content: Buffer
  created_at: Date
}

export interface MessageCountTable {
  program_id: number
  span: string
  begins_at: Date
  kind: string
  outcome: string
  error: Generated<string>
  messages: number
}

export interface OrderPaymentTable {
  program_id: number
  payment_uuid: Uuid
  order_uuid: Uuid
  provider: string
  provider_reference: string | null
  amount_halalas: number
  state: string
  created_at: Date
  updated_at: Date
  kind: Generated<string>
  page_url: string | null
  error: string | null
  reconciled_at: Date | null
  leased_until: Date | null
  paid_with: string | null
  provider_account: string | null
  own_account: boolean | null
}

export interface OrderRatingTable {
  program_id: number
  order_uuid: Uuid
  product_id: string | null
  product_name: string | null
  rating: number | null
  comment: string | null
  created_at: Date
}

export interface OrderRefundTable {
  program_id: number
  refund_uuid: Uuid
  order_uuid: Uuid
  refund_halalas: number
  reversed_points: number
  returned_points: number
  provider_halalas: number
  provider_state: string
  provider_refund_reference: string | null
  payment_uuid: Uuid | null
  reason: string | null
  created_at: Date
}

export interface OrdersTable {
  program_id: number
  order_uuid: Uuid
  id: GeneratedAlways<number>
  merchant_id: number
  customer_id: Uuid | null
  type: number
  source: string
  reference_number: string
  order_number: string
  order_status: string
  total_halalas: number
  total_points: number
  earned_points: Generated<number>
  shipping_halalas: number | null
  tax_halalas: number | null
  discount_halalas: number | null
  shipping_address: unknown | null
  items: unknown | null
  metadata: unknown | null
  shipping_status: Generated<string>
  label_ar: string | null
  label_en: string | null
  payment_method: string | null
  reason: string | null
  refunded_halalas: Generated<number>
  returned_points: Generated<number>
  reversed_points: Generated<number>
  paid_at: Date | null
  created_at: Date
  updated_at: Date
  authorized_at: Date | null
  redeemed_halalas: Generated<number>
  booked_at: Date | null
  refunded_late: Generated<boolean>
  micro_sar_per_point: number | null
}

export interface OtpTable {
  program_id: number
  purpose: string
  subject_uuid: Uuid
  otp_uuid: Uuid
  phone: string
  code_hash: Buffer
  shown_code: Buffer | null
  tries: Generated<number>
  used_at: Date | null
  expires_at: Date
  created_at: Date
}

export interface PaymentTaskTable {
  program_id: number
  task_uuid: Uuid
  payment_uuid: Uuid
  order_uuid: Uuid
  kind: string
  refund_uuid: Uuid | null
  amount_halalas: number
  state: Generated<string>
  attempts: Generated<number>
  due_at: Date
  leased_until: Date | null
  refunded_before_halalas: number | null
  provider_reference: string | null
  error: string | null
  created_at: Date
  ended_at: Date | null
}

export interface PendingEarningTable {
  program_id: number
  pending_uuid: Uuid
  id: GeneratedAlways<number>
  merchant_id: number
  customer_id: Uuid
  source: string
  order_number: string
  total_halalas: number
  total_points: number
  points_per_sar_e4: number
  shipping_halalas: number | null
  tax_halalas: number | null
  discount_halalas: number | null
  shipping_address: unknown | null
  items: unknown | null
  metadata: unknown | null
  order_uuid: Uuid | null
  created_at: Date
}

export interface ProgramTable {
  program_id: GeneratedAlways<number>
  name: string
  account_id: Uuid
  activation: Generated<string>
  micro_sar_per_point: Generated<number>
  locale: Generated<string>
  created_at: Date
  updated_at: Date
  operator_name: string | null
  operator_contact: string | null
  remembered_limit: Generated<number>
  fee_earn_bp: Generated<number>
  fee_redeem_bp: Generated<number>
  fee_vat_bp: Generated<number>
  two_person_rates: Generated<boolean>
  two_person_settlements: Generated<boolean>
  two_person_adjustments_over: number | null
}

export interface ProgramRateTable {
  program_id: number
  begins_on: string
  micro_sar_per_point: number
  created_at: Date
}

export interface ProgramTermsTable {
  program_id: number
  version: string
  begins_on: string
  text_en: string
  text_ar: string
  created_at: Date
}

export interface ProgramWebhookTable {
  program_id: number
  webhook_uuid: Uuid
  url: string
  secret: Buffer
  secret_last4: string
  created_at: Date
  updated_at: Date
  next_secret: Buffer | null
  next_secret_last4: string | null
  next_secret_at: Date | null
  test_uuid: Uuid | null
}

export interface ProposalTable {
  program_id: number
  proposal_uuid: Uuid
  kind: string
  state: string
  payload: unknown
  facts: unknown
  customer_id: Uuid | null
  reason: string | null
  proposed_by: string
  proposed_uuid: Uuid | null
  decided_by: string | null
  decided_uuid: Uuid | null
  decided_at: Date | null
  expires_at: Date
  created_at: Date
}

export interface ProviderMoneyTable {
  program_id: number
  money_uuid: Uuid
  merchant_id: number
  order_uuid: Uuid
  kind: string
  amount_halalas: number
  booked_at: Date
  created_at: Date
}

export interface RateLimitTable {
  program_id: number
  kind: string
  key_hash: Buffer
  times: Date[]
  asked_at: Date
}

export interface ReconciliationFindingTable {
  program_id: number
  finding_uuid: Uuid
  merchant_id: number
  order_uuid: Uuid
  payment_uuid: Uuid
  provider: string
  provider_reference: string | null
  amount_halalas: number
  kind: string
  action: string
  detail: string
  refund_halalas: number | null
  returned_points: number | null
  reversed_points: number | null
  state: Generated<string>
  note: string | null
  changed_by: string | null
  changed_at: Date | null
  times: Generated<number>
  found_at: Date
  seen_at: Date
  ended_at: Date | null
}

export interface RememberedBrowserTable {
  program_id: number
  remembered_uuid: Uuid
  token_hash: Buffer
  phone: string
  customer_id: Uuid
  device: string | null
  proven_at: Date
  used_at: Date
  expires_at: Date
  created_at: Date
}

export interface RememberedSpendTable {
  program_id: number
  customer_id: Uuid
  order_uuid: Uuid
  points: number
  spent_at: Date
}

export interface RequestLogTable {
  program_id: number
  request_id: Uuid
  merchant_id: number
  method: string
  route: string
  order_uuid: Uuid | null
  status: number
  duration_ms: number
  failure: string | null
  fields: unknown | null
  body_bytes: number | null
  body: unknown | null
  more: number
}

export interface SandboxPaymentTable {
  program_id: number
  payment_uuid: Uuid
  kind: string
  state: string
  card: string | null
  amount_halalas: number
  refunded_halalas: Generated<number>
  description: string
  return_url: string
  callback_url: string
  settles_at: Date | null
  vanishes_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface SandboxRefundTable {
  program_id: number
  refund_uuid: Uuid
  payment_uuid: Uuid
  amount_halalas: number
  created_at: Date
}

export interface SchemaMigrationTable {
  name: string
  checksum: string
  applied_at: Date
}

export interface ServiceProcessTable {
  process_uuid: Uuid
  role: string
  version: string
  host: string
  pid: number
  facts: unknown
  started_at: Date
  seen_at: Date
  stopped_at: Date | null
}

export interface SettlementTable {
  program_id: number
  settlement_id: Uuid
  merchant_id: number
  orders: number
  net_points: string
  net_halalas: string
  micro_sar_per_point: number | null
  created_at: Date
  from_at: Date | null
  until_at: Date | null
  money_halalas: string | null
  fee_halalas: string | null
  vat_halalas: string | null
  due_halalas: string | null
  fee_vat_bp: number | null
  run_uuid: Uuid | null
}

export interface SettlementExclusionTable {
  program_id: number
  order_uuid: Uuid
  merchant_id: number
  reason: string | null
  excluded_at: Date
  included_at: Date | null
}

export interface SettlementLineTable {
  program_id: number
  settlement_id: Uuid
  line: number
  kind: string
  micro_sar_per_point: number | null
  entries: number
  points: string
  micro_sar: string
}

export interface SettlementNoticeTable {
  program_id: number
  settlement_id: Uuid
  event: string
  state: Generated<string>
  attempts: Generated<number>
  due_at: Date
  leased_until: Date | null
  error: string | null
  created_at: Date
  ended_at: Date | null
}

export interface SettlementRunTable {
  program_id: number
  run_uuid: Uuid
  kind: string
  merchant_id: number | null
  until_at: Date
  asked_by: string
  asked_uuid: Uuid | null
  proposed_by: string | null
  state: Generated<string>
  attempts: Generated<number>
  due_at: Date
  leased_until: Date | null
  step: string | null
  done: Generated<number>
  total: Generated<number>
  result: unknown | null
  error: string | null
  created_at: Date
  ended_at: Date | null
}

export interface ShownMailTable {
  mail_uuid: Uuid
  content: Buffer
  created_at: Date
}

export interface SmsQueueTable {
  program_id: number
  sms_uuid: Uuid
  kind: string
  customer_id: Uuid
  merchant_id: number
  state: Generated<string>
  attempts: Generated<number>
  due_at: Date
  leased_until: Date | null
  error: string | null
  created_at: Date
  ended_at: Date | null
}

export interface StaffTable {
  staff_uuid: Uuid
  email: string
  name: string
  password_hash: string | null
  locale: string | null
  is_operator: Generated<boolean>
  disabled: Generated<boolean>
  email_proven_at: Date | null
  totp_secret: Buffer | null
  totp_confirmed_at: Date | null
  totp_last_step: number | null
  created_at: Date
  updated_at: Date
}

export interface StaffLinkTable {
  link_uuid: Uuid
  token_hash: Buffer
  purpose: string
  email: string
  staff_uuid: Uuid | null
  program_id: number | null
  merchant_id: number | null
  role: string | null
  invited_by: string | null
  mailed: boolean
  expires_at: Date
  used_at: Date | null
  created_at: Date
}

export interface StaffMembershipTable {
  program_id: number
  merchant_id: number
  staff_uuid: Uuid
  role: string
  created_at: Date
  updated_at: Date
}

export interface StaffPasskeyTable {
  passkey_uuid: Uuid
  staff_uuid: Uuid
  credential_id: Buffer
  public_key: Buffer
  counter: number
  transports: string[]
  name: string
  created_at: Date
  used_at: Date | null
}

export interface StaffRecoveryCodeTable {
  staff_uuid: Uuid
  code_hash: Buffer
  created_at: Date
}

export interface StaffSessionTable {
  session_uuid: Uuid
  token_hash: Buffer
  staff_uuid: Uuid
  method: string
  address: string | null
  browser: string | null
  proven_at: Date
  seen_at: Date
  expires_at: Date
  created_at: Date
}

export interface StaffUsedTable {
  key_hash: Buffer
  expires_at: Date
}

export interface TransferTable {
  program_id: number
  transfer_id: Uuid
  kind: string
  reference: string
  order_uuid: Uuid | null
  reason: string | null
  created_at: Date
}

export interface TranslationTable {
  program_id: number
  target: string
  text: string
  translated: string
  created_at: Date
}

export interface WalletSessionTable {
  program_id: number
  session_uuid: Uuid
  token_hash: Buffer
  phone: string
  proven_at: Date | null
  seen_at: Date
  expires_at: Date
  created_at: Date
}

export interface WebhookTable {
  program_id: number
  webhook_uuid: Uuid
  merchant_id: number
  slot: number
  name: string
  url: string
  secret: Buffer
  secret_last4: string
  created_at: Date
  updated_at: Date
  next_secret: Buffer | null
  next_secret_last4: string | null
  next_secret_at: Date | null
}

export interface WebhookRotationTable {
  program_id: number
  webhook_uuid: Uuid
  rotation_uuid: Uuid
  old_last4: string
  new_last4: string
  effective_at: Date
  created_at: Date
}

export interface WriteProbeTable {
  singleton: boolean
  probed_at: Date
}

/** Every table of the database, by name. */
export interface Schema {
  account: AccountTable
  activity_day: ActivityDayTable
  activity_program: ActivityProgramTable
  activity_window: ActivityWindowTable
  api_key: ApiKeyTable
  audit: AuditTable
  card_session: CardSessionTable
  checkout_session: CheckoutSessionTable
  consent: ConsentTable
  customer: CustomerTable
  delivery: DeliveryTable
  delivery_attempt: DeliveryAttemptTable
  delivery_queue: DeliveryQueueTable
  deployment: DeploymentTable
  earning_lock: EarningLockTable
  entry: EntryTable
  erasure_request: ErasureRequestTable
  event: EventTable
  hold: HoldTable
  idempotency: IdempotencyTable
  ledger_run: LedgerRunTable
  liability_month: LiabilityMonthTable
  liability_report: LiabilityReportTable
  limit_counter: LimitCounterTable
  merchant: MerchantTable
  merchant_audit: MerchantAuditTable
  merchant_customer: MerchantCustomerTable
  merchant_document: MerchantDocumentTable
  merchant_logo: MerchantLogoTable
  merchant_note: MerchantNoteTable
  merchant_payment_account: MerchantPaymentAccountTable
  merchant_wide_logo: MerchantWideLogoTable
  message_count: MessageCountTable
  order_payment: OrderPaymentTable
  order_rating: OrderRatingTable
  order_refund: OrderRefundTable
  orders: OrdersTable
  otp: OtpTable
  payment_task: PaymentTaskTable
  pending_earning: PendingEarningTable
  program: ProgramTable
  program_rate: ProgramRateTable
  program_terms: ProgramTermsTable
  program_webhook: ProgramWebhookTable
  proposal: ProposalTable
  provider_money: ProviderMoneyTable
  rate_limit: RateLimitTable
  reconciliation_finding: ReconciliationFindingTable
  remembered_browser: RememberedBrowserTable
  remembered_spend: RememberedSpendTable
  request_log: RequestLogTable
  sandbox_payment: SandboxPaymentTable
  sandbox_refund: SandboxRefundTable
  schema_migration: SchemaMigrationTable
  service_process: ServiceProcessTable
  settlement: SettlementTable
  settlement_exclusion: SettlementExclusionTable
  settlement_line: SettlementLineTable
  settlement_notice: SettlementNoticeTable
  settlement_run: SettlementRunTable
  shown_mail: ShownMailTable
  sms_queue: SmsQueueTable
  staff: StaffTable
  staff_link: StaffLinkTable
  staff_membership: StaffMembershipTable
  staff_passkey: StaffPasskeyTable
  staff_recovery_code: StaffRecoveryCodeTable
  staff_session: StaffSessionTable
  staff_used: StaffUsedTable
  transfer: TransferTable
  translation: TranslationTable
  wallet_session: WalletSessionTable
  webhook: WebhookTable
  webhook_rotation: WebhookRotationTable
  write_probe: WriteProbeTable
}
