import type { DataOf } from '../../api/client.ts'

export const brandPath = '/merchants/{merchantId}/brand'

export type Brand = DataOf<typeof brandPath, 'get'>
