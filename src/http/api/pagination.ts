import Type from 'typebox'
import { nullable } from './fields.ts'

/** The page that a query asks for, and the `links` and `meta` of the answer. docs/spec/api.md#pagination */

const default_per_page = 15
const max_per_page = 100
/** More than any list of ours has, and still exact after multiplication by `per_page`. */
const max_page = 1_000_000_000

export interface PageQuery {
  readonly page: number
  readonly per_page: number
}

export interface Page<Item> {
  readonly data: readonly Item[]
  readonly links: {
    readonly first: string
    readonly last: string
    readonly prev: string | null
    readonly next: string | null
  }
  readonly meta: {
    readonly current_page: number
    readonly from: number | null
    readonly last_page: number
    readonly path: string
    readonly per_page: number
    readonly to: number | null
    readonly total: number
  }
}

/** Takes a query as sent. Treats a value that is not a number as absent, and moves numbers into their bounds. */
export function readPage(query: Readonly<Record<string, unknown>>): PageQuery {
  return {
    page: clamp(readNumber(query['page']) ?? 1, max_page),
    per_page: clamp(readNumber(query['per_page']) ?? default_per_page, max_per_page),
  }
}

function readNumber(value: unknown): number | undefined {
  const text: unknown = Array.isArray(value) ? value.at(-1) : value
  if (typeof text !== 'string' || !/^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(text)) return undefined
  return Math.trunc(Number(text))
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 1), max)
}

/** Takes a whole list, which must be short by nature, and its URL. Gives one page of it. */
export function paginate<Item>(all: readonly Item[], { page, per_page }: PageQuery, path: string): Page<Item> {
  const total = all.length
  const last_page = Math.max(1, Math.ceil(total / per_page))
  const start = (page - 1) * per_page
  const data = all.slice(start, start + per_page)
  const link = (to: number): string => `${path}?per_page=${per_page}&page=${to}`
  return {
    data,
    links: {
      first: link(1),
      last: link(last_page),
      prev: page > 1 ? link(Math.min(page - 1, last_page)) : null,
      next: page < last_page ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from: data.length === 0 ? null : start + 1,
      last_page,
      path,
      per_page,
      to: data.length === 0 ? null : start + data.length,
      total,
    },
  }
}

const link = () => Type.String({ format: 'uri' })
const count = (description?: string) => Type.Integer(description === undefined ? {} : { description })

/** The part of a route that describes its pages. */
export const pageSchema = {
  query: Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
    per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: max_per_page, default: default_per_page })),
  }),
  pagination: {
    links: Type.Object({ first: link(), last: link(), prev: nullable(link()), next: nullable(link()) }),
    meta: Type.Object({
      current_page: count(),
      from: nullable(count('Place of the first item in the whole list; null on an empty page.')),
      last_page: count(),
      path: link(),
      per_page: count(),
      to: nullable(count('Place of the last item.')),
      total: count(),
    }),
  },
} as const
