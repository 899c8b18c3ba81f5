import { expect, it } from 'vitest'
import { refuseAdjustment } from '../../src/domain/adjustment.ts'
import { changedFields } from '../../src/domain/audit.ts'
import { withoutPersonalData } from '../../src/domain/erasure.ts'
import { asPoints, MAX_WALLET_POINTS } from '../../src/domain/points.ts'
import { readTable } from '../support/tables.ts'

it('an audit row has the fields that change, and no others', () => {
  const was = { name: 'Shop', verified: false, hosts: ['a'], rate: 1 }
  expect(changedFields(was, { verified: true, hosts: ['a'], rate: undefined, name: null })).toEqual({
    before: { verified: false, name: 'Shop' },
    after: { verified: true, name: null },
  })
  expect(changedFields(was, {})).toEqual({ before: {}, after: {} })
})

// A wallet holds at most 10^14 points either way; the points of its pending earnings count above zero.
const max = MAX_WALLET_POINTS
const adjustments = readTable(`
  posted | waiting | points | refused
  0      | 0       | max    |
  1      | 0       | max    | too many, room max-1
  0      | 1       | max    | too many, room max-1
  -1     | 0       | max    |
  0      | 0       | -max   |
  -1     | 0       | -max   | too few, room max-1
  5      | max     | -5     |
  100    | 0       | -200   |
`)
it.each(adjustments)('from $posted ($waiting waiting) by $points: $refused', ({ posted, waiting, points, refused }) => {
  const read = (text = '') =>
    asPoints(text.replace('-', '') === 'max' ? (text.startsWith('-') ? -max : max) : Number(text))
  const found = refuseAdjustment({ posted: read(posted) }, { points: read(points), waiting: read(waiting) })
  expect(found === null ? '' : `${found.kind}, room max${found.room - max}`).toBe(refused)
})

it('an erased order keeps its numbers and loses what somebody wrote', () => {
  const order = { id: 'x', total_price: 10, metadata: { a: 1 }, status: 'delivered', status_label: 'Sara' }
  const texts = { reason: 'Sara', custom_status: { ar: 'سارة', en: 'Sara' }, items: [{ product_name: 'Tea' }] }
  const kept = { id: 'x', total_price: 10, metadata: null, status: 'delivered', status_label: 'Delivered' }
  expect(withoutPersonalData({ ...order, ...texts })).toEqual({ ...kept, reason: null, custom_status: null })
  expect(withoutPersonalData({ id: 'x' })).toEqual({ id: 'x' })
})
