/** What a merchant's payment page takes, in the order in which a checkout names it. docs/spec/payments.md#methods */
export const paymentMethods = [
  'mada',
  'visa',
  'mastercard',
  'american_express',
  'apple_pay',
  'google_pay',
  'stc_pay',
  'tabby',
  'tamara',
] as const

export type PaymentMethod = (typeof paymentMethods)[number]

/** Gives the methods that are named, each once and in our order. Unknown names are left out. */
export function readPaymentMethods(names: readonly string[]): PaymentMethod[] {
  return paymentMethods.filter((method) => names.includes(method))
}
