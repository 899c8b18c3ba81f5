import { describe, expect, it } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import { asPoints, DEFAULT_SAR_PER_POINT } from '../../src/domain/points.ts'
import { isRemembered, mayChooseWithoutCode, spendableWithoutCode } from '../../src/domain/remembered.ts'
import { day_ms } from '../../src/domain/spans.ts'
import { readTable } from '../support/tables.ts'

const now = new Date('2026-11-01T00:00:00Z')
const daysFromNow = (days: number) => new Date(now.getTime() + days * day_ms)

// An order of 100 SAR can use 20,000 points, one of 2 SAR 400.
describe('without a code', () => {
  it.each(
    readTable(`
    limit | balance | held | spent | total | spendable | shown
    1000  | 1000    | 0    | 0     | 100   | 1000      | yes
    1000  | 1001    | 0    | 0     | 100   | none      | no
    1000  | 1001    | 0    | 0     | 0     | none      | no
    1000  | 1001    | 400  | 0     | 100   | none      | no
    1000  | 1000    | 400  | 400   | 100   | 600       | yes
    1000  | 1000    | 400  | 401   | 100   | 599       | no
    1000  | 800     | 0    | 200   | 100   | 800       | yes
    1000  | 800     | 0    | 201   | 100   | 799       | no
    1000  | 800     | 0    | 600   | 2     | 400       | yes
    1000  | 800     | 0    | 601   | 2     | 399       | no
    1000  | 800     | 0    | 1000  | 2     | 0         | no
    1000  | 800     | 0    | 1200  | 0     | 0         | yes
    1000  | 0       | 0    | 1000  | 100   | 0         | yes
    1000  | -50     | 0    | 1000  | 100   | 0         | yes
    0     | 0       | 0    | 0     | 100   | none      | no
  `),
  )(
    'a limit of $limit with a balance of $balance, $held of it held, and $spent spent: $spendable, $total SAR shown: $shown',
    (row) => {
      const number = (name: string) => asPoints(Number(row[name]))
      const spending = { limit: number('limit'), posted: number('balance'), spent: number('spent') }
      expect(spendableWithoutCode(spending) ?? 'none').toBe(row['spendable'] === 'none' ? 'none' : number('spendable'))
      const available_points = asPoints(number('balance') - number('held'))
      const total_halalas = asHalalas(Number(row['total']) * 100)
      const order = { total_halalas, available_points, value: DEFAULT_SAR_PER_POINT }
      expect(mayChooseWithoutCode(spending, order)).toBe(row['shown'] === 'yes')
    },
  )
})

it.each([
  [30, -89, true],
  [0, -1, false],
  [-1, -1, false],
  [1, -90, false],
  [1, -91, false],
])('a browser that expires in %d days, whose phone was proven %d days ago, is remembered: %s', (left, proven, is) => {
  expect(isRemembered({ expires_at: daysFromNow(left), proven_at: daysFromNow(proven) }, now)).toBe(is)
})
