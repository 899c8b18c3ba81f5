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

/** What providers write for the methods whose names differ from ours, in lower-case letters alone. */
const alsoWritten: ReadonlyMap<string, PaymentMethod> = new Map([
  ['master', 'mastercard'],
  ['amex', 'american_express'],
])

/** Gives the method that a provider names, in any case and with any marks between its letters; undefined for another. */
export function methodNamed(name: string): PaymentMethod | undefined {
  const letters = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  return paymentMethods.find((method) => method.replaceAll('_', '') === letters) ?? alsoWritten.get(letters)
}

/** Gives the methods that are named, each once and in our order. Unknown names are left out. */
export function readPaymentMethods(names: readonly string[]): PaymentMethod[] {
  return paymentMethods.filter((method) => names.includes(method))
}
