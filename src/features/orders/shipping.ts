import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import { purgeEverywhere } from '../../db/programs.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import type { Actor, Change } from '../../domain/audit.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { ShippingStatus } from '../../domain/order.ts'
import { before, day_ms } from '../../domain/spans.ts'
import type { Clock } from '../../lib/clock.ts'
import type { TranslationFailure, Translator } from '../../providers/translation/port.ts'
import { enqueueOrderEvents } from './events.ts'
import type { LockedOrder, Order } from './order.ts'
import { type OrderChanges, updateOrder } from './queries.ts'
import { changeOrder, type ReadOrder } from './service.ts'
import { markSessionKept } from './session-queries.ts'
import { deleteTranslations, findTranslation, saveTranslation } from './translation-queries.ts'
import { customStatus } from './view.ts'

/** At least one of the three is given. */
export interface ShippingUpdate {
  readonly status?: ShippingStatus | undefined
  readonly name_ar?: string | undefined
  readonly name_en?: string | undefined
}

/** Changes the shipping status, the custom label or both, and gives the order as it is then. Refuses with `order_not_found`. */
export type UpdateShipping = (
  merchant: Merchant,
  order_uuid: Uuid,
  update: ShippingUpdate,
  beforeCommit?: BeforeCommit<Order>,
  by?: Actor,
) => Promise<Order>

export interface ShippingOptions {
  readonly db: Database
  readonly clock: Clock
  readonly readOrder: ReadOrder
  readonly translateLabel: TranslateLabel
}

/** Any status may follow any, and each update fires an event (docs/spec/orders.md#shipping-status). */
export function createUpdateShipping({ db, clock, readOrder, translateLabel }: ShippingOptions): UpdateShipping {
  return async (merchant, order_uuid, update, beforeCommit, by) => {
    // Refuse a foreign order before translating, and translate before the transaction, which should not wait.
    await readOrder(merchant, order_uuid)
    const labels = await completeLabels(update, (text, source, target) =>
      translateLabel(merchant.program_id, { text, source, target }),
    )
    return changeOrder(db, merchant, order_uuid, async (tx, order) => {
      const now = clock.now()
      const status = update.status ?? order.shipping_status
      const changes: OrderChanges = { shipping_status: status, ...labels }
      void tx.run(updateOrder(order, changes, now))
      if (order.order_status === 'new') void tx.run(markSessionKept(order.program_id, order_uuid, now))
      const updated = { ...order, ...changes, updated_at: now }
      const extras = { status, custom_status: customStatus(updated), locale: merchant.program.locale }
      enqueueOrderEvents(tx, updated, [{ name: 'shipping_status_updated', extras }])
      audit(tx, by, [changeOf(order, status, labels !== undefined)])
      await beforeCommit?.(tx, updated)
      return updated
    })
  }
}

/** Without the labels: they stay with the order, where an erasure finds them. */
function changeOf(
  { program_id, order_uuid, ...before }: LockedOrder,
  after: ShippingStatus,
  relabelled: boolean,
): Change {
  return {
    ...{ program_id, action: 'orders.status', object: `order:${order_uuid}` },
    before: { shipping_status: before.shipping_status },
    after: { shipping_status: after, ...(relabelled ? { relabelled } : {}) },
  }
}

type Translate = (text: string, source: Locale, target: Locale) => Promise<string>

/** Gives both labels, translating the one that is missing. Gives nothing when neither was sent: the old ones stay. */
async function completeLabels(
  { name_ar, name_en }: ShippingUpdate,
  translate: Translate,
): Promise<{ readonly label_ar: string; readonly label_en: string } | undefined> {
  if (name_ar !== undefined && name_en !== undefined) return { label_ar: name_ar, label_en: name_en }
  if (name_ar !== undefined) return { label_ar: name_ar, label_en: await translate(name_ar, 'ar', 'en') }
  if (name_en !== undefined) return { label_ar: await translate(name_en, 'en', 'ar'), label_en: name_en }
  return undefined
}

const cache_ms = 30 * day_ms
const default_budget_ms = 2_000
/** Applies to translated labels too. */
const max_label_chars = 120

export interface Label {
  readonly text: string
  readonly source: Locale
  readonly target: Locale
}

/** Gives a label in another language, or the label itself where it cannot be translated. Never refuses. */
export type TranslateLabel = (program_id: number, label: Label) => Promise<string>

export interface TranslationOptions {
  readonly db: Database
  readonly clock: Clock
  /** Undefined where none is configured: labels are copied. */
  readonly translator: Translator | undefined
  /** Called with why a label was copied. */
  readonly onFailure?: (reason: TranslationFailure | 'too_long') => void
  /** A translation that takes longer is given up. */
  readonly budget_ms?: number
}

/** Translations are cached for 30 days by program, target language and text (docs/spec/orders.md#translation). */
export function createTranslateLabel(options: TranslationOptions): TranslateLabel {
  const { db, clock, translator, onFailure = () => undefined } = options
  return async (program_id, label) => {
    if (translator === undefined) return label.text
    const now = clock.now()
    const span = { after: before(now, cache_ms), until: now }
    const cached = await db.one(findTranslation(program_id, label, span))
    if (cached !== undefined) return cached.translated
    const outcome = await translator.translate(label, AbortSignal.timeout(options.budget_ms ?? default_budget_ms))
    const reason = outcome.kind === 'failed' ? outcome.reason : tooLong(outcome.text)
    if (outcome.kind === 'failed' || reason !== null) {
      if (reason !== null) onFailure(reason)
      return label.text
    }
    await db.run(saveTranslation(program_id, { ...label, translated: outcome.text }, now))
    return outcome.text
  }
}

function tooLong(text: string): 'too_long' | null {
  return [...text].length > max_label_chars ? 'too_long' : null
}

/** Deletes translations that are older than 30 days at `now`, in business time. Gives how many. */
export function purgeTranslations(db: Database, now: Date, batch?: number): Promise<number> {
  const kept_from = before(now, cache_ms)
  return purgeEverywhere(db, (program_id, count) => deleteTranslations(program_id, kept_from, count), batch)
}
