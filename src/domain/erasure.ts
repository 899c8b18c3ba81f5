/** What is left of a customer who is erased. docs/spec/customers.md#erasure */
import { AUTO_REFUND_REASON } from './events.ts'
import { shippingLabel, shippingStatuses } from './order.ts'

/**
 * Takes the `order` object of a stored event or answer; gives it without what a store or a customer wrote: metadata,
 * products, reasons and custom labels. Numbers, states, ids and the service's own reason of a reversal stay.
 */
export function withoutPersonalData(order: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { items: _, ...rest } = order
  const kept: Record<string, unknown> = rest
  // A custom label can hold a name.
  if (isObject(order['custom_status'])) kept['status_label'] = canonicalLabel(order, order['custom_status'])
  for (const field of ['metadata', 'reason', 'custom_status', 'shipping_address'])
    if (field in kept && kept[field] !== AUTO_REFUND_REASON) kept[field] = null
  return kept
}

/** Takes the `order` object of a stored event; gives the texts of its custom label. An order keeps only its last label. */
export function customLabels({ custom_status }: Readonly<Record<string, unknown>>): readonly string[] {
  return isObject(custom_status) ? Object.values(custom_status).filter((text) => typeof text === 'string') : []
}

/** The label of the shipping status, in the language that the custom one was shown in. docs/spec/orders.md#status-label */
function canonicalLabel({ status, status_label }: Readonly<Record<string, unknown>>, custom: object): string | null {
  const known = shippingStatuses.find((one) => one === status)
  if (known === undefined) return null
  return shippingLabel(known, null, Reflect.get(custom, 'en') === status_label ? 'en' : 'ar')
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
