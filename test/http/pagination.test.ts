import { describe, expect, it } from 'vitest'
import { paginate, readPage } from '../../src/http/api/pagination.ts'
import { readTable } from '../support/tables.ts'

const asked = readTable(`
  per_page | page       | means
  absent   | absent     | 15 1
  10       | 2          | 10 2
  1        | 1          | 1 1
  100      | 1          | 100 1
  101      | 1          | 100 1
  0        | 0          | 1 1
  -5       | -1         | 1 1
  +7       | 03         | 7 3
  2.9      | 1.9        | 2 1
  ten      | two        | 15 1
  1e2      | 0x10       | 15 1
  Infinity | NaN        | 15 1
  99999999999999999999999999 | 99999999999999999999999999 | 100 1000000000
  10 20    | 1,5        | 15 1
`)

describe('the page that a query asks for', () => {
  it.each(asked)('per_page=$per_page, page=$page: $means', ({ per_page = '', page = '', means }) => {
    const query = { ...(per_page === 'absent' ? {} : { per_page }), ...(page === 'absent' ? {} : { page }) }
    const read = readPage(query)
    expect(`${read.per_page} ${read.page}`).toBe(means)
  })

  it('is the last of several values, and the default for invalid ones', () => {
    expect(readPage({ per_page: ['5', '10'], page: ['x', '3'] })).toEqual({ per_page: 10, page: 3 })
    expect(readPage({ per_page: { a: '1' }, page: '' })).toEqual({ per_page: 15, page: 1 })
  })
})

describe('a page', () => {
  const items = Array.from({ length: 7 }, (_, index) => index + 1)
  const path = 'https://localhost:8443/api/v1/webhooks'

  it('is a part of the list, with links that keep per_page', () => {
    expect(paginate(items, { page: 2, per_page: 3 }, path)).toEqual({
      data: [4, 5, 6],
      links: {
        first: `${path}?per_page=3&page=1`,
        last: `${path}?per_page=3&page=3`,
        prev: `${path}?per_page=3&page=1`,
        next: `${path}?per_page=3&page=3`,
      },
      meta: { current_page: 2, from: 4, last_page: 3, path, per_page: 3, to: 6, total: 7 },
    })
  })

  it('has no next page at the end and no previous page at the beginning', () => {
    expect(paginate(items, { page: 3, per_page: 3 }, path)).toMatchObject({
      data: [7],
      links: { next: null },
      meta: { to: 7 },
    })
    expect(paginate(items, { page: 1, per_page: 7 }, path)).toMatchObject({
      links: { prev: null, next: null },
      meta: { last_page: 1 },
    })
  })

  it('of an empty list is empty: first and last are page 1', () => {
    expect(paginate([], { page: 1, per_page: 15 }, path)).toMatchObject({
      data: [],
      links: { first: `${path}?per_page=15&page=1`, last: `${path}?per_page=15&page=1`, prev: null, next: null },
      meta: { current_page: 1, from: null, last_page: 1, to: null, total: 0 },
    })
  })

  it('beyond the end is empty and links to the last page', () => {
    expect(paginate(items, { page: 9, per_page: 3 }, path)).toMatchObject({
      data: [],
      links: { prev: `${path}?per_page=3&page=3`, next: null },
      meta: { current_page: 9, from: null, to: null, total: 7 },
    })
  })
})
