import { expect, it } from 'vitest'
import { methodNamed } from '../../src/domain/payment-method.ts'

it.each([
  ['mada', 'mada'],
  ['Mada', 'mada'],
  ['Visa', 'visa'],
  ['master', 'mastercard'],
  ['MasterCard', 'mastercard'],
  ['amex', 'american_express'],
  ['American Express', 'american_express'],
  ['AmericanExpress', 'american_express'],
  ['applepay', 'apple_pay'],
  ['stcpay', 'stc_pay'],
  ['Google Pay', 'google_pay'],
  ['creditcard', undefined],
  ['', undefined],
  ['constructor', undefined],
  ['4111 11## #### 1111', undefined],
])('a provider’s %s is %s', (name, method) => {
  expect(methodNamed(name)).toBe(method)
})
