import type { RowOf } from '../../api/client.ts'

export const webhooks_path = '/merchants/{merchantId}/webhooks'

export type Webhook = RowOf<typeof webhooks_path>
