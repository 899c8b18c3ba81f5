import Type from 'typebox'
import { refine, text } from '../../http/api/fields.ts'
import { listQuery } from '../../http/dashboard/list.ts'
import type { ListPlace } from './list-queries.ts'

/** Where a page of merchants by name begins, as lists of the dashboard send it. */

const isCursor = (value: unknown): boolean => typeof value !== 'string' || placeOf(value) !== undefined

export const merchantListQuery = Type.Object({
  ...listQuery,
  // A name has up to 255 characters of four bytes.
  after: Type.Optional(
    refine(Type.String({ maxLength: 1_500, description: '`next` of the page before.' }), 'list_place', isCursor),
  ),
  q: Type.Optional(text({ max: 255, description: 'A part of a name in either language, or a number.' })),
})

export function cursorOf({ merchant_id, sorted }: ListPlace): string {
  return `${merchant_id}.${Buffer.from(sorted).toString('base64url')}`
}

/** Reads a cursor; undefined for a text that is none. */
export function placeOf(cursor: string): ListPlace | undefined {
  const [, number = '', name = ''] = /^(0|[1-9]\d{0,14})\.([\w-]*)$/.exec(cursor) ?? []
  const sorted = Buffer.from(name, 'base64url').toString()
  return number === '' || sorted.includes('\0') ? undefined : { merchant_id: Number(number), sorted }
}
