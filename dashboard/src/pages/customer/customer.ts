import type { DataOf } from '../../api/client.ts'

/** A customer of a merchant, with the wallet. */
export type CustomerDetail = DataOf<'/merchants/{merchantId}/customers/{customerId}', 'get'>
