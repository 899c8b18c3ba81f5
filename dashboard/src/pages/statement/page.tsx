import { useSuspenseQuery } from '@tanstack/react-query'
import { sendForList } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { useMerchant, usePathParam } from '../../app/merchant.ts'
import { page_size } from './read-lines.ts'
import { Statement } from './statement.tsx'

/** The statement of a settlement of the open merchant. */
export function Page() {
  const { merchantId } = useMerchant()
  const settlementUuid = usePathParam('settlementUuid')
  const path = { merchantId, settlementUuid }
  const { data } = useSuspenseQuery(ask('/merchants/{merchantId}/settlements/{settlementUuid}', { params: { path } }))
  return (
    <Statement
      settlement={data}
      path={`/merchants/${merchantId}/settlements/${settlementUuid}`}
      readPage={(after, signal) =>
        sendForList('/merchants/{merchantId}/settlements/{settlementUuid}/entries', {
          ...{ params: { path, query: { limit: page_size, ...(after === undefined ? {} : { after }) } }, signal },
        })
      }
    />
  )
}
