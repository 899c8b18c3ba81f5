/** The endpoints that the log can be filtered by, as it names them. */
export const routes = [
  '/api/v1/orders/earning',
  '/api/v1/orders/earning/product-rating',
  '/api/v1/orders/earning/store-rating',
  '/api/v1/orders/checkout/:publicKey',
  '/api/v1/orders/:orderUuid',
  '/api/v1/orders/:orderUuid/authorize',
  '/api/v1/orders/:orderUuid/capture',
  '/api/v1/orders/:orderUuid/complete',
  '/api/v1/orders/:orderUuid/cancel',
  '/api/v1/orders/:orderUuid/refund',
  '/api/v1/orders/:orderUuid/status',
  '/api/v1/webhooks',
  '/api/v1/webhooks/:uuid',
  '/api/v1/integration/status',
] as const
