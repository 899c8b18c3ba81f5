import { useSuspenseQuery } from '@tanstack/react-query'
import { ask } from '../../api/query.ts'
import { useMerchant, usePathParam } from '../../app/merchant.ts'
import { SettlementDetail } from './detail.tsx'

/** A settlement of the open merchant. */
export function Page() {
  const { merchantId } = useMerchant()
  const settlementUuid = usePathParam('settlementUuid')
  const path = { merchantId, settlementUuid }
  const { data } = useSuspenseQuery(ask('/merchants/{merchantId}/settlements/{settlementUuid}', { params: { path } }))
  return <SettlementDetail settlement={data} path={`/merchants/${merchantId}/settlements/${settlementUuid}`} />
}
