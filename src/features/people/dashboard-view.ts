import Type from 'typebox'
import { earningSources, orderSources } from '../../domain/earning.ts'
import { usablePoints } from '../../domain/ledger.ts'
import { toSar } from '../../domain/money.ts'
import { orderStates } from '../../domain/order.ts'
import { instant, nullable, oneOf, uuid } from '../../http/api/fields.ts'
import { customerStatuses, statusOf } from '../customers/status.ts'
import { movementFields } from '../wallet/dashboard-view.ts'
import type { Movement } from '../wallet/queries.ts'
import type { MergePreview } from './merge.ts'
import type { PersonDetail } from './pages.ts'
import type { PersonOrder, PersonRow } from './queries.ts'

const merchant = {
  merchant_id: Type.Integer(),
  merchant_name: Type.String(),
  merchant_name_ar: nullable(Type.String()),
}

export const personSchema = {
  customer_id: uuid(),
  phone: nullable(Type.String({ description: 'Null once the customer is erased or merged.' })),
  name: nullable(Type.String()),
  status: oneOf(customerStatuses),
  blocked: Type.Boolean(),
  posted: Type.Integer(),
  held: Type.Integer(),
  available: Type.Integer({ description: '0 while the customer is blocked.' }),
  created_at: instant(),
}

export function viewPerson(row: PersonRow) {
  const { customer_id, phone, name, posted, held, created_at } = row
  const blocked = row.blocked_at !== null
  return {
    customer_id,
    phone: phone === null ? null : `0${phone}`,
    name,
    status: statusOf(row),
    blocked,
    posted,
    held,
    available: usablePoints({ posted, held, blocked }),
    created_at: created_at.toISOString(),
  }
}

export const personDetailSchema = Type.Object({
  customer: Type.Object({
    ...personSchema,
    activated_at: nullable(instant()),
    merged_into: nullable(uuid()),
    merged_at: nullable(instant()),
  }),
  block: nullable(Type.Object({ at: instant(), by: nullable(Type.String()), reason: nullable(Type.String()) })),
  holds: Type.Array(
    Type.Object({
      points: Type.Integer(),
      since: instant(),
      merchant_name: Type.String(),
      merchant_name_ar: nullable(Type.String()),
      order_number: Type.String(),
    }),
  ),
  waiting: Type.Array(
    Type.Object({
      pending_uuid: uuid(),
      ...merchant,
      source: oneOf(earningSources),
      order_number: Type.String(),
      total_points: Type.Integer(),
      created_at: instant(),
    }),
    { description: 'Earnings that wait until the customer joins, at most 100.' },
  ),
  sign_ins: Type.Object({ wallet: Type.Integer(), remembered: Type.Integer(), cards: Type.Integer() }),
  merged: Type.Array(Type.Object({ customer_id: uuid(), merged_at: instant() }), {
    description: 'Customers whose numbers were merged into this one.',
  }),
})

export function viewPersonDetail({ person, holds, waiting, sign_ins, merged }: PersonDetail) {
  const { activated_at, merged_into, merged_at, blocked_at, blocked_by, blocked_reason } = person
  return {
    customer: {
      ...viewPerson(person),
      activated_at: activated_at?.toISOString() ?? null,
      merged_into,
      merged_at: merged_at?.toISOString() ?? null,
    },
    block: blocked_at === null ? null : { at: blocked_at.toISOString(), by: blocked_by, reason: blocked_reason },
    holds: holds.map((hold) => ({ ...hold, since: hold.since.toISOString() })),
    waiting: waiting.map((earning) => ({ ...earning, created_at: earning.created_at.toISOString() })),
    sign_ins,
    merged: merged.map(({ account_id, merged_at: at }) => ({ customer_id: account_id, merged_at: at.toISOString() })),
  }
}

export const personEntrySchema = Type.Object({
  ...movementFields,
  merchant_id: nullable(Type.Integer()),
  merchant_name: nullable(Type.String()),
  merchant_name_ar: nullable(Type.String()),
})

export function viewEntry({ at, ...movement }: Movement) {
  return { ...movement, at: at.toISOString() }
}

export const personOrderSchema = Type.Object({
  uuid: uuid(),
  ...merchant,
  order_number: Type.String(),
  source: oneOf(orderSources),
  order_status: oneOf(orderStates),
  total_price: Type.Number({ description: 'SAR.' }),
  redeemed_points: Type.Integer(),
  earned_points: Type.Integer(),
  created_at: instant(),
})

export function viewPersonOrder(order: PersonOrder) {
  const { order_uuid, total_halalas, created_at, type, total_points, ...shown } = order
  return {
    ...shown,
    uuid: order_uuid,
    total_price: toSar(total_halalas),
    redeemed_points: type === 2 ? total_points : 0,
    created_at: created_at.toISOString(),
  }
}

export const mergePreviewSchema = Type.Object({
  into: Type.Object({
    customer_id: uuid(),
    phone: Type.String(),
    name: nullable(Type.String()),
    posted: Type.Integer(),
  }),
  points: Type.Integer({ description: 'What moves, with the earnings that wait; below 0 the customer owes them.' }),
  waiting: Type.Integer({ description: 'Of these, the points of earnings that wait: they become orders.' }),
  posted_after: Type.Integer({ description: 'What the wallet that stays has afterwards.' }),
})

export function viewMergePreview({ from, into, into_name }: MergePreview) {
  const points = from.posted + from.waiting
  const { customer_id, phone, posted } = into
  return {
    into: { customer_id, phone: `0${phone}`, name: into_name, posted },
    points,
    waiting: from.waiting,
    posted_after: posted + points,
  }
}
