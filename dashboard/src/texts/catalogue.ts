import type account from './en/account.json'
import type audit from './en/audit.json'
import type checklist from './en/checklist.json'
import type common from './en/common.json'
import type customers from './en/customers.json'
import type deliveries from './en/deliveries.json'
import type frame from './en/frame.json'
import type findings from './en/operator/findings.json'
import type health from './en/operator/health.json'
import type ledger from './en/operator/ledger.json'
import type liability from './en/operator/liability.json'
import type mails from './en/operator/mails.json'
import type messages from './en/operator/messages.json'
import type operators from './en/operator/operators.json'
import type people from './en/operator/people.json'
import type program from './en/operator/program.json'
import type programSettings from './en/operator/program-settings.json'
import type proposals from './en/operator/proposals.json'
import type review from './en/operator/review.json'
import type settling from './en/operator/settling.json'
import type order from './en/order.json'
import type orders from './en/orders.json'
import type overview from './en/overview.json'
import type requests from './en/requests.json'
import type settings from './en/settings.json'
import type settlements from './en/settlements.json'
import type signIn from './en/sign-in.json'
import type team from './en/team.json'
import type webhooks from './en/webhooks.json'

/**
 * The texts that translators edit: one file a page in `en/` and `ar/`, with flat keys. The texts below `operator/` belong to
 * pages that only operators open, and are loaded only for operators.
 */

/** A text, or its plural forms by the number `count`: English has two, Arabic six. */
export type Entry = string | { readonly [Rule in Intl.LDMLPluralRule]?: string }

type Keys<Area extends string, File> = `${Area}.${keyof File & string}`

/** Every key of the catalogue, as `area.key`. */
export type TextKey =
  | Keys<'account', typeof account>
  | Keys<'audit', typeof audit>
  | Keys<'checklist', typeof checklist>
  | Keys<'common', typeof common>
  | Keys<'customers', typeof customers>
  | Keys<'deliveries', typeof deliveries>
  | Keys<'findings', typeof findings>
  | Keys<'frame', typeof frame>
  | Keys<'health', typeof health>
  | Keys<'ledger', typeof ledger>
  | Keys<'liability', typeof liability>
  | Keys<'mails', typeof mails>
  | Keys<'operators', typeof operators>
  | Keys<'messages', typeof messages>
  | Keys<'order', typeof order>
  | Keys<'orders', typeof orders>
  | Keys<'overview', typeof overview>
  | Keys<'people', typeof people>
  | Keys<'program', typeof program>
  | Keys<'program-settings', typeof programSettings>
  | Keys<'proposals', typeof proposals>
  | Keys<'requests', typeof requests>
  | Keys<'review', typeof review>
  | Keys<'settings', typeof settings>
  | Keys<'settlements', typeof settlements>
  | Keys<'settling', typeof settling>
  | Keys<'sign-in', typeof signIn>
  | Keys<'team', typeof team>
  | Keys<'webhooks', typeof webhooks>

export type Catalogue = ReadonlyMap<string, Entry>
