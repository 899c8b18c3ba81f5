/** What becomes of a payment that a provider collects, and what the provider is still to be told. Decisions §6 and §8. */

/**
 * `created`: asked for, nothing has come yet. `surplus`: came when the order could no longer take it; `returned`: such
 * money has gone back.
 */
export const paymentStates = ['created', 'authorized', 'paid', 'voided', 'failed', 'surplus', 'returned'] as const

export type PaymentState = (typeof paymentStates)[number]

/** `give_back` voids, and refunds what can no longer be voided. */
export const paymentTaskKinds = ['capture', 'void', 'refund', 'give_back'] as const

export type PaymentTaskKind = (typeof paymentTaskKinds)[number]
