import { useSuspenseQuery } from '@tanstack/react-query'
import { ask } from '../../api/query.ts'
import { usePathParam } from '../../app/merchant.ts'
import { useProgram } from '../../app/program.ts'
import { SettlementDetail } from '../settlement/detail.tsx'

/** A settlement of the open program. */
export function Page() {
  const { programId } = useProgram()
  const settlementUuid = usePathParam('settlementUuid')
  const path = { programId, settlementUuid }
  const { data } = useSuspenseQuery(ask('/programs/{programId}/settlements/{settlementUuid}', { params: { path } }))
  return <SettlementDetail settlement={data} path={`/programs/${programId}/settlements/${settlementUuid}`} />
}
