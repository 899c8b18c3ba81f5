import { queryOptions } from '@tanstack/react-query'
import { send, sendForList } from '../api/client.ts'
import type { IconName } from '../parts/icon.tsx'
import { merchantPath, programPath } from '../parts/page-link.tsx'
import type { TextKey } from '../texts/catalogue.ts'

/** What the palette finds besides pages, by the headings under which it is shown. */

export interface FoundGroup {
  readonly title: TextKey
  readonly rows: readonly Found[]
}

export interface Found {
  readonly id: string
  readonly icon: IconName
  readonly title: string
  readonly detail?: string
  /** When it was made: its day is shown behind the detail. */
  readonly made_at?: string
  /** The whole path. */
  readonly to: string
}

/** Asks a merchant for orders and customers by a number, reference, phone or uuid. */
export function findAtMerchant(merchantId: number, q: string) {
  return queryOptions({
    queryKey: ['/merchants/{merchantId}/search', merchantId, q] as const,
    enabled: q.length >= 2,
    throwOnError: false,
    queryFn: async ({ signal }): Promise<readonly FoundGroup[]> => {
      const params = { path: { merchantId }, query: { q } }
      const { orders, customers } = await send('get', '/merchants/{merchantId}/search', { params, signal })
      const to = (path: string) => merchantPath(String(merchantId), path)
      return [
        {
          title: 'frame.search_orders',
          rows: orders.map(({ uuid, order_number, reference_number, created_at }) => ({
            id: uuid,
            icon: 'orders',
            title: `\u2068${order_number}\u2069`,
            detail: `\u2068${reference_number}\u2069`,
            made_at: created_at,
            to: to(`orders/${uuid}`),
          })),
        },
        {
          title: 'frame.search_customers',
          rows: customers.map(({ customer_id, name, phone, phone_masked }) => ({
            id: customer_id,
            icon: 'person',
            title: name ?? `\u2068${phone ?? phone_masked ?? customer_id}\u2069`,
            detail: `\u2068${phone ?? phone_masked ?? customer_id}\u2069`,
            to: to(`customers/${customer_id}`),
          })),
        },
      ]
    },
  })
}

const most = 8

/** Asks a program, or the whole service, for merchants by the beginning of a name, or a number. */
export function findMerchants(programId: number | undefined, q: string) {
  const query = { q, limit: String(most) }
  return queryOptions({
    queryKey: ['/programs/{programId}/merchants', 'palette', programId, q] as const,
    enabled: q.length >= 2,
    throwOnError: false,
    queryFn: async ({ signal }): Promise<readonly FoundGroup[]> => {
      const found =
        programId === undefined
          ? (await sendForList('/merchants', { params: { query }, signal })).rows.map((row) =>
              foundMerchant(row, merchantPath(String(row.merchant_id), '')),
            )
          : (
              await sendForList('/programs/{programId}/merchants', { params: { path: { programId }, query }, signal })
            ).rows.map((row) => foundMerchant(row, programPath(String(programId), `merchants/${row.merchant_id}`)))
      return [{ title: 'frame.search_merchants', rows: found }]
    },
  })
}

function foundMerchant({ merchant_id, name }: { merchant_id: number; name: string }, to: string): Found {
  return { id: String(merchant_id), icon: 'store', title: `\u2068${name}\u2069`, detail: String(merchant_id), to }
}
