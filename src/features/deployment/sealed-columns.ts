import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { Belonging } from '../../lib/secrets.ts'
import { checkoutSecretBelongsTo } from '../checkout/signing.ts'
import { answerBelongsTo } from '../idempotency/service.ts'
import { accountBelongsTo } from '../merchants/payment-credentials.ts'
import type { AccountKey } from '../merchants/payment-credentials-queries.ts'
import { codeBelongsTo } from '../otp/code.ts'
import type { OtpSubject } from '../otp/queries.ts'
import { type ProgramWebhookKey, programSecretBelongsTo } from '../settlement/program-webhook.ts'
import { mailBelongsTo } from '../staff/shown-mails.ts'
import { totpBelongsTo } from '../staff/totp.ts'
import { secretBelongsTo } from '../webhooks/service.ts'

/** A column of sealed values. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The primary key, after `program_id` where the table has one, with the types of its columns. */
  readonly key: Readonly<Record<string, 'bigint' | 'bytea' | 'text' | 'uuid'>>
  /** Further columns that `belongsTo` reads. */
  readonly besides: readonly string[]
  readonly belongsTo: (row: SealedRow) => Belonging
  /** The table has no `program_id`. */
  readonly of_deployment: boolean
}

/** A row with `program_id` and the columns of `key` and `besides`. */
export type SealedRow = Readonly<Record<string, unknown>> & { readonly program_id: number }

/** Makes an entry of the table, typed by the row that the feature reads. */
function column<Row>(
  [table, name]: readonly [string, string],
  key: SealedColumn['key'],
  belongsTo: (row: Row) => Belonging,
  besides: readonly string[] = [],
): SealedColumn {
  const belongs = belongsTo as unknown as SealedColumn['belongsTo']
  return { table, column: name, key, besides, belongsTo: belongs, of_deployment: false }
}

/** Makes an entry of a table that belongs to the deployment. */
function deploymentColumn<Row>(
  names: readonly [string, string],
  key: SealedColumn['key'],
  belongsTo: (row: Row) => Belonging,
): SealedColumn {
  return { ...column(names, key, belongsTo), of_deployment: true }
}

interface WebhookRow {
  readonly program_id: number
  readonly merchant_id: number
  readonly webhook_uuid: Uuid
}

interface AnswerRow {
  readonly program_id: number
  readonly merchant_id: number
  readonly key_hash: Buffer
}

const ofWebhook = (row: WebhookRow): Belonging => secretBelongsTo(row, row.webhook_uuid)
const ofCode = (row: OtpSubject & { readonly otp_uuid: Uuid }): Belonging => codeBelongsTo(row, row.otp_uuid)

/** Every column that the secret key seals. `nuqta secrets rotate` seals them again. */
// biome-ignore format: one row per column, to be read as a table
export const sealedColumns: readonly SealedColumn[] = [
  column<WebhookRow>(['webhook', 'secret'],                       { webhook_uuid: 'uuid' },                        ofWebhook, ['merchant_id']),
  column<WebhookRow>(['webhook', 'next_secret'],                  { webhook_uuid: 'uuid' },                        ofWebhook, ['merchant_id']),
  column<ProgramWebhookKey>(['program_webhook', 'secret'],        { webhook_uuid: 'uuid' },                        programSecretBelongsTo),
  column<ProgramWebhookKey>(['program_webhook', 'next_secret'],   { webhook_uuid: 'uuid' },                        programSecretBelongsTo),
  column<MerchantKey>(['merchant', 'checkout_secret'],            { merchant_id: 'bigint' },                       checkoutSecretBelongsTo),
  column<AccountKey>(['merchant_payment_account', 'credentials'], { merchant_id: 'bigint', provider: 'text' },     accountBelongsTo),
  column(['otp', 'shown_code'],                                   { purpose: 'text', subject_uuid: 'uuid' },       ofCode, ['otp_uuid']),
  column<AnswerRow>(['idempotency', 'answer'],                    { merchant_id: 'bigint', key_hash: 'bytea' },    answerBelongsTo),
  deploymentColumn(['staff', 'totp_secret'],                      { staff_uuid: 'uuid' },                          totpBelongsTo),
  deploymentColumn(['shown_mail', 'content'],                     { mail_uuid: 'uuid' },                           mailBelongsTo),
]
