import { AUTO_REFUND_REASON } from '../../domain/events.ts'
import type { Locale, LocalText } from '../../domain/locale.ts'
import type { Movement } from '../../features/wallet/service.ts'
import { type Html, html, type Part } from '../design/html.ts'
import type { IconName } from '../design/icons.ts'
import { interpolate } from '../design/interpolate.ts'

/** Why points came or went, in plain words. `{store}` is the merchant's name. */
const reasons = {
  purchase: { ar: 'شراء من {store}', en: 'Purchase at {store}' },
  paid: { ar: 'نقاط على ما دفعته لدى {store}', en: 'For what you paid at {store}' },
  product_rating: { ar: 'تقييم منتج من {store}', en: 'Rating of a product at {store}' },
  named_rating: { ar: 'تقييم {product} من {store}', en: 'Rating of {product} at {store}' },
  store_rating: { ar: 'تقييم متجر {store}', en: 'Rating of {store}' },
  used: { ar: 'استخدام نقاط لدى {store}', en: 'Used at {store}' },
  reserved: { ar: 'حجز لطلبك من {store}', en: 'Reserved for your order at {store}' },
  released: { ar: 'إلغاء الحجز لطلبك من {store}', en: 'No longer reserved for your order at {store}' },
  taken_back: { ar: 'خصم بعد استرداد من {store}', en: 'Taken back: refund at {store}' },
  returned: { ar: 'إعادة بعد استرداد من {store}', en: 'Returned: refund at {store}' },
  added: { ar: 'إضافة من البرنامج', en: 'Added by the programme' },
  deducted: { ar: 'خصم من البرنامج', en: 'Deducted by the programme' },
} as const satisfies Record<string, LocalText>

type Reason = keyof typeof reasons

const icons: Readonly<Record<Reason, IconName>> = {
  purchase: 'bag',
  paid: 'bag',
  product_rating: 'points',
  named_rating: 'points',
  store_rating: 'points',
  used: 'gift',
  reserved: 'clock',
  released: 'back',
  taken_back: 'refund',
  returned: 'refund',
  added: 'points',
  deducted: 'points',
}

/** Reasons that the service itself gives. */
const ownReasons: ReadonlyMap<string, LocalText> = new Map([
  [AUTO_REFUND_REASON, { ar: 'لم يُعثر على دفعة هذا الطلب', en: 'No payment of this order was found' }],
  ['Sandbox balance', { ar: 'رصيد البيئة التجريبية', en: 'Sandbox balance' }],
])

/** Which of the reasons a movement has. */
function reasonOf({ kind, hold_state, source, product_name, points }: Movement): Reason {
  switch (kind) {
    case 'earn':
      return earned(source, product_name)
    case 'hold':
      return hold_state === 'posted' ? 'used' : 'reserved'
    case 'release':
      return 'released'
    case 'reverse':
      return 'taken_back'
    case 'return':
      return 'returned'
    case 'adjust':
      return points < 0 ? 'deducted' : 'added'
  }
}

function earned(source: Movement['source'], product_name: string | null): Reason {
  switch (source) {
    case 'product_rating':
      return product_name === null ? 'product_rating' : 'named_rating'
    case 'store_rating':
      return 'store_rating'
    case 'checkout':
      return 'paid'
    default:
      return 'purchase'
  }
}

const details = {
  order: { ar: 'الطلب {number}', en: 'Order {number}' },
} as const satisfies Record<string, LocalText>

export interface MovementWords {
  readonly icon: IconName
  /** What happened, and where. */
  readonly title: Html
  /** The order's number and the reason that was given, where there are any. */
  readonly details: readonly Html[]
}

/** Why a movement happened, in the reader's language. */
export function describeMovement(movement: Movement, locale: Locale): MovementWords {
  const { merchant_name, product_name, order_number, reason } = movement
  const kind = reasonOf(movement)
  const store = name(merchant_name)
  const product = name(product_name)
  const isRating = movement.source === 'product_rating' || movement.source === 'store_rating'
  const number =
    order_number === null || isRating ? [] : [interpolate(details.order, locale, { number: name(order_number) })]
  const given =
    reason === null || reason.trim() === '' ? [] : [html`${name(ownReasons.get(reason)?.[locale] ?? reason)}`]
  return {
    icon: icons[kind],
    title: interpolate(reasons[kind], locale, { store, product }),
    details: [...number, ...given],
  }
}

/** What people wrote stands apart from the direction of the text around it. */
function name(text: string | null): Part {
  return html`<bdi>${text ?? ''}</bdi>`
}
