/** Answers that a change of an order changes too. */
export const stalePaths = [
  '/merchants/{merchantId}/orders',
  '/merchants/{merchantId}/orders/{orderUuid}',
  '/merchants/{merchantId}/orders/{orderUuid}/refund-preview',
  '/merchants/{merchantId}/customers/{customerId}',
  '/merchants/{merchantId}/customers/{customerId}/history',
  '/merchants/{merchantId}/overview',
  '/merchants/{merchantId}/deliveries',
]
