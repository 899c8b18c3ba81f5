/** What is left of a customer who is erased. docs/spec/customers.md#erasure */

/**
 * Takes the `order` object of a stored event or answer; gives it without what a store or a customer wrote: metadata,
 * products, reasons and custom labels. Numbers, states and ids stay.
 */
export function withoutPersonalData(order: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { items: _, ...rest } = order
  const kept: Record<string, unknown> = rest
  for (const field of ['metadata', 'reason', 'custom_status', 'shipping_address']) if (field in kept) kept[field] = null
  // A custom label can hold a name; the status itself says what is known.
  if ('status_label' in kept) kept['status_label'] = kept['status'] ?? null
  return kept
}
