import { history_phone } from '../../domain/sandbox.ts'

/** What happened in the shops of a new sandbox in the month before its first start, the oldest first. */

/** 0 is the first shop, whose keys `sandbox.env` has. */
type StoreNumber = 0 | 1 | 2

interface Step {
  /** How long before the first start. */
  readonly hours_ago: number
}

interface Join extends Step {
  readonly does: 'join'
  readonly phone: string
  readonly name: string
}

interface OfStore extends Step {
  readonly store: StoreNumber
  readonly phone: string
  /** Unique in its shop. */
  readonly number: string
}

interface Purchase extends OfStore {
  readonly does: 'buy'
  readonly product: string
  readonly price: number
  readonly quantity: number
  /** The hours after which all of it was refunded. */
  readonly refunded_after_h?: number
}

interface Rating extends OfStore {
  readonly does: 'rate'
  readonly product: string
  readonly rating: number
  readonly comment: string
}

interface Redemption extends OfStore {
  readonly does: 'redeem'
  readonly product: string
  /** All of it was paid with points. */
  readonly price: number
}

export type HistoryStep = Join | Purchase | Rating | Redemption

const [noura, faisal, sara, guest] = [history_phone, '500000012', '500000013', '500000014']

type Goods = readonly [product: string, price: number, quantity: number]

const beans: Goods = ['بن إثيوبي محمص، 1 كجم', 96, 1]
const filters: Goods = ['أوراق ترشيح', 18.5, 2]
const cup: Goods = ['كوب سيراميك', 42, 2]
const dates: Goods = ['Ajwa dates, 1 kg', 79, 1]
const honey: Goods = ['Sidr honey, 500 g', 165, 1]
const novel: Goods = ['A novel', 54, 1]
const atlas: Goods = ['An atlas for children', 128, 1]
const pens: Goods = ['Reed pens, set of 5', 36.75, 1]

function buy(days_ago: number, at: readonly [StoreNumber, string], phone: string, goods: Goods): Purchase {
  const [store, number] = at
  const [product, price, quantity] = goods
  return { does: 'buy', hours_ago: days_ago * 24, store, number, phone, product, price, quantity }
}

/** Chronological, so that each wallet reads like a real one. */
export const historySteps: readonly HistoryStep[] = [
  { does: 'join', hours_ago: 30 * 24, phone: noura, name: 'نورة العتيبي' },
  buy(29.5, [1, 'SR-1001'], noura, beans),
  { does: 'join', hours_ago: 28 * 24, phone: faisal, name: 'Faisal Alharbi' },
  buy(27.6, [0, 'DS-3001'], faisal, honey),
  buy(26.2, [1, 'SR-1002'], noura, filters),
  buy(24.7, [2, 'LB-2001'], noura, atlas),
  { does: 'join', hours_ago: 23 * 24, phone: sara, name: 'Sara Alqahtani' },
  buy(22.9, [2, 'LB-2002'], sara, novel),
  buy(21.4, [0, 'DS-3002'], noura, dates),
  buy(19.3, [1, 'SR-1003'], faisal, beans),
  { ...buy(17.5, [0, 'DS-3003'], noura, honey), refunded_after_h: 49 },
  buy(15.1, [2, 'LB-2003'], faisal, pens),
  buy(14.2, [1, 'SR-1004'], noura, beans),
  {
    ...{ does: 'rate', hours_ago: 12.5 * 24, store: 1, number: 'SR-review-77', phone: noura },
    ...{ product: 'بن إثيوبي محمص، 1 كجم', rating: 5, comment: 'طعم متوازن ورائحة رائعة' },
  },
  buy(10.8, [0, 'DS-3004'], sara, dates),
  buy(8.3, [1, 'SR-1005'], noura, cup),
  {
    ...{ does: 'redeem', hours_ago: 6.1 * 24, store: 2, number: 'LB-web-501', phone: noura },
    ...{ product: 'Reed pens, set of 5', price: 12.5 },
  },
  buy(4.6, [0, 'DS-3005'], faisal, dates),
  buy(3.2, [2, 'LB-2004'], guest, novel),
  buy(2.4, [1, 'SR-1006'], sara, cup),
  buy(0.9, [2, 'LB-2005'], noura, novel),
]
