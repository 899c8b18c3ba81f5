import { useSuspenseQuery } from '@tanstack/react-query'
import { sendForList } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { usePathParam } from '../../app/merchant.ts'
import { useProgram } from '../../app/program.ts'
import { page_size } from '../statement/read-lines.ts'
import { Statement } from '../statement/statement.tsx'

/** The statement of a settlement of the open program. */
export function Page() {
  const { programId } = useProgram()
  const settlementUuid = usePathParam('settlementUuid')
  const path = { programId, settlementUuid }
  const { data } = useSuspenseQuery(ask('/programs/{programId}/settlements/{settlementUuid}', { params: { path } }))
  return (
    <Statement
      settlement={data}
      path={`/programs/${programId}/settlements/${settlementUuid}`}
      readPage={(after, signal) =>
        sendForList('/programs/{programId}/settlements/{settlementUuid}/entries', {
          ...{ params: { path, query: { limit: page_size, ...(after === undefined ? {} : { after }) } }, signal },
        })
      }
    />
  )
}
