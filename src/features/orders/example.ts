import type { OrderView } from './order.ts'

/** The purchase of the API description's examples: what was bought, and what was sent along. */
export const exampleProducts = [{ product_name: 'Coffee beans 1 kg', product_price: 75.5, quantity: 2 }]
export const exampleMetadata = { branch: 'Olaya' }

/** An answer for the API description: the order of the earning example, with what is different. */
export function exampleOrder(changes: Partial<OrderView> = {}): OrderView {
  return {
    id: 1042,
    uuid: '019c137b-fb40-7c3a-9d52-3f6b1a2c4d5e',
    reference_number: 'VQ8K8ZPPCF',
    order_status: 'approved',
    status_label: 'New',
    custom_status: null,
    order_number: '1001',
    type: 1,
    total_price: 151,
    total_points: 1510,
    metadata: exampleMetadata,
    date: '2026-01-31',
    time: '12:30:00',
    since: '0 seconds ago',
    settlement_status: 'pending',
    status: 'new',
    created_at: '2026-01-31T09:30:00.000Z',
    updated_at: '2026-01-31T09:30:00.000Z',
    items: exampleProducts,
    ...changes,
  }
}

/** The same for the order of the checkout example: replacing, and `new` unless `changes` say otherwise. */
export function exampleReplacingOrder(changes: Partial<OrderView>): OrderView {
  const replacing = { type: 2, total_points: 0, order_status: 'new', settlement_status: null } as const
  return exampleOrder({ ...replacing, ...changes })
}
