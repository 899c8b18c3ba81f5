import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { preparedRows, textsForRows } from '../../src/db/statement.ts'
import { testDatabase } from '../support/database.ts'

// A statement over lists has texts of its own for one row and for two.

const database = testDatabase()

const paired = preparedRows<{ n: number; at: string | null; word: string | null; shared: number }>(
  'test.paired',
  (rows) => `select a.n, a.at::text as at, b.word, $1::integer as shared
    from ${rows('$2::integer[], $4::date[]', 'a(n, at)')}
    join ${rows('$2::integer[], $5::text[]', 'b(n, word)')} on b.n = a.n
    where a.n > $3::integer order by a.n`,
)

/** Words that would end a list or a text, if they were not values. */
const word = fc.option(fc.oneof(fc.string(), fc.constantFrom('{a,b}', '"', '\\', "'", 'null', '')), { nil: null })
const row = fc.record({
  at: fc.constantFrom('2026-11-25', null),
  word: word.map((text) => text?.replaceAll('\0', '') ?? null),
})

describe('a statement over lists', () => {
  it('gives the same rows for one, two, and more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 4 }), fc.integer({ min: -1, max: 2 }), async (given, above) => {
        const asked = given.map((one, n) => ({ ...one, n }))
        const list = (key: 'n' | 'at' | 'word') => asked.map((one) => one[key])
        const found = await database.db.run(paired(7, list('n'), above, list('at'), list('word')))
        expect(found).toEqual(asked.filter(({ n }) => n > above).map((one) => ({ ...one, shared: 7 })))
      }),
      { numRuns: 60 },
    )
  })

  it('has a name for each of its texts, and no list in those of few rows', () => {
    const names = [1, 2, 3].map((rows) => {
      const values = (value: unknown) => new Array(rows).fill(value)
      return paired(7, values(1), 0, values(null), values('a')).name
    })
    expect(names).toEqual(['test.paired.1', 'test.paired.2', 'test.paired'])
    const { texts } = textsForRows(
      'test.text',
      (rows) => `select $2 from ${rows('$1::uuid[], $3::text[]', 'k(id, word)')}`,
    )
    expect(texts.map(({ text }) => text)).toEqual([
      'select $2 from (values ($1::uuid, $3::text)) as k(id, word)',
      'select $2 from (values ($1::uuid, $3::text), ($4::uuid, $5::text)) as k(id, word)',
      'select $2 from (select * from unnest($1::uuid[], $3::text[]) as k(id, word) limit cardinality($1)) k',
    ])
  })
})
