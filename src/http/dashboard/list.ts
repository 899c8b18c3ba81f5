import Type from 'typebox'
import { parseId, parseUuid, type Uuid } from '../../domain/ids.ts'
import { isDay, nullable, refine, uuidText } from '../api/fields.ts'
import { DashboardAnswer } from './answers.ts'

/** Lists of the dashboard: a page at a time, the newest first, by a cursor that the answer before gave. */

const default_limit = 50
const max_limit = 100

const isCount = (value: unknown): boolean => typeof value !== 'string' || /^[0-9]{1,9}$/.test(value)

/** The fields of a list's query; add filters by spreading them in. */
export const listQuery = {
  after: Type.Optional(Type.String({ maxLength: 500, description: '`next` of the page before.' })),
  limit: Type.Optional(
    refine(Type.String({ description: `At most ${max_limit}; ${default_limit} without it.` }), 'integer', isCount),
  ),
}

/** `after` of a list whose cursors are ids. */
export const afterUuid = Type.Optional(uuidText('list_place', { description: '`next` of the page before.' }))

/** `after` of a list whose cursors are days. */
export const afterDay = Type.Optional(
  refine(Type.String({ description: '`next` of the page before.' }), 'list_place', isDay),
)

/** For `refine()`: a text is a number as `parseId` reads it. Values that are not texts pass: the type check refuses them. */
export const isId = (value: unknown): boolean => typeof value !== 'string' || parseId(value) !== null

/** `merchant` of a program's list that can be narrowed to one of its merchants. */
export const ofMerchant = Type.Optional(
  refine(Type.String({ description: 'Only those of the merchant with this number.' }), 'integer', isId),
)

/** The merchant that a query names, which its schema has checked. */
export function merchantOf({ merchant }: { readonly merchant?: string | undefined }): number | undefined {
  return merchant === undefined ? undefined : (parseId(merchant) ?? undefined)
}

/** A uuid of a query, which its schema has checked. */
export function uuidOf(sent: string | undefined): Uuid | undefined {
  return sent === undefined ? undefined : (parseUuid(sent) ?? undefined)
}

/** The part of a list's answer beside `data`. */
export const listPagination = {
  next: nullable(Type.String(), {
    description: 'Send it as `after` for the page behind; null at the end.',
  }),
}

/** How many rows a query asks for. */
export function limitOf({ limit }: { readonly limit?: string | undefined }): number {
  return limit === undefined ? default_limit : Math.min(Math.max(Number(limit), 1), max_limit)
}

/** A page of a list: the rows (one more than `limit` when there are more behind), and the cursor of a row. */
export function pageOf<Row>(
  rows: readonly Row[],
  {
    limit,
    view,
    cursor,
    beside = {},
  }: { limit: number; view: (row: Row) => object; cursor: (row: Row) => string; beside?: object },
): DashboardAnswer {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last !== undefined ? cursor(last) : null
  return new DashboardAnswer(shown.map(view), { beside: { next, ...beside } })
}
