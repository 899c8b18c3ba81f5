import { expect, it } from 'vitest'
import { withoutPersonalData } from '../../src/domain/erasure.ts'

// Answers under an Idempotency-Key and events that are sent again carried `new` and `delivered` as `status_label` after an
// erasure, where GET gives the label (docs/spec/orders.md#status-label).

const custom_status = { ar: 'عند سارة', en: 'With Sara' }

it.each([
  ['a canonical label stays', { custom_status: null, status_label: 'تم التوصيل' }, 'تم التوصيل'],
  ['an English custom label becomes the canonical one', { custom_status, status_label: 'With Sara' }, 'Delivered'],
  ['an Arabic one becomes that in Arabic', { custom_status, status_label: 'عند سارة' }, 'تم التوصيل'],
])('%s', (_, shown, status_label) => {
  const erased = { status: 'delivered', status_label, custom_status: null }
  expect(withoutPersonalData({ status: 'delivered', ...shown })).toEqual(erased)
})

it('adds no label to an event that has none', () => {
  expect(withoutPersonalData({ order_status: 'approved', metadata: { a: 1 } })).toEqual({
    order_status: 'approved',
    metadata: null,
  })
})
