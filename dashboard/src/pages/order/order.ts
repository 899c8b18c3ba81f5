import type { DataOf } from '../../api/client.ts'

/** An order with what happened to it. */
export type OrderDetail = DataOf<'/merchants/{merchantId}/orders/{orderUuid}', 'get'>
