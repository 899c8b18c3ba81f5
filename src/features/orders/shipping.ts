import { announce } from '../../db/outbox.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import { eventPayload } from '../../domain/events.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { ShippingStatus } from '../../domain/shipping.ts'
import type { Locale } from '../../domain/text.ts'
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import { keepSession } from '../checkout/queries.ts'
import { customStatus, type LockedOrder, type Order, snapshotChanged } from './order.ts'
import { type OrderChanges, updateOrder } from './queries.ts'
import { changeOrder, type ReadOrder } from './service.ts'
import type { TranslateLabel } from './translation.ts'

/** At least one of the three is there. */
export interface ShippingUpdate {
  readonly status?: ShippingStatus | undefined
  readonly name_ar?: string | undefined
  readonly name_en?: string | undefined
}

/** Changes the shipping status, the custom label or both, and gives the order as it is then. Refused: `order_not_found`. */
export type UpdateShipping = (
  merchant: Merchant,
  order_uuid: Uuid,
  update: ShippingUpdate,
  beforeCommit?: BeforeCommit<Order>,
) => Promise<Order>

export interface ShippingOptions {
  readonly db: Database
  readonly clock: Clock
  readonly readOrder: ReadOrder
  readonly translateLabel: TranslateLabel
}

/** Decisions §9: any status may follow any, and each update fires its event. */
export function createUpdateShipping({ db, clock, readOrder, translateLabel }: ShippingOptions): UpdateShipping {
  return async (merchant, order_uuid, update, beforeCommit) => {
    // Whose order it is comes first; the translation comes before the transaction, which waits for nobody.
    await readOrder(merchant, order_uuid)
    const labels = await completeLabels(update, (text, source, target) =>
      translateLabel(merchant.program_id, { text, source, target }),
    )
    return changeOrder(db, merchant, order_uuid, async (tx, order) => {
      const now = clock.now()
      const shipping_status = update.status ?? order.shipping_status
      const changes: OrderChanges = { shipping_status, ...labels }
      void tx.run(updateOrder(order, changes, now))
      if (order.order_status === 'new') void tx.run(keepSession(order.program_id, order_uuid, now))
      const updated = { ...order, ...changes, updated_at: now }
      announceUpdate(tx, updated, merchant.program.locale)
      await beforeCommit?.(tx, updated)
      return updated
    })
  }
}

type Translate = (text: string, source: Locale, target: Locale) => Promise<string>

/** Both labels: as sent, or the missing one translated. None sent: none, and those that are there stay. */
async function completeLabels(
  { name_ar, name_en }: ShippingUpdate,
  translate: Translate,
): Promise<{ readonly label_ar: string; readonly label_en: string } | undefined> {
  if (name_ar !== undefined && name_en !== undefined) return { label_ar: name_ar, label_en: name_en }
  if (name_ar !== undefined) return { label_ar: name_ar, label_en: await translate(name_ar, 'ar', 'en') }
  if (name_en !== undefined) return { label_ar: await translate(name_en, 'en', 'ar'), label_en: name_en }
  return undefined
}

function announceUpdate(tx: Transaction, order: LockedOrder, locale: Locale): void {
  const { program_id, merchant_id, order_uuid, shipping_status: status } = order
  const name = 'shipping_status_updated'
  const extras = { status, custom_status: customStatus(order), locale }
  const payload = JSON.stringify(eventPayload(name, snapshotChanged(order), extras))
  announce(tx, program_id, order.updated_at, [{ event_id: newUuid(), merchant_id, order_uuid, name, payload }])
}
