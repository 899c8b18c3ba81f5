import { useQuery } from '@tanstack/react-query'
import { askForList } from '../../api/query.ts'
import { useProgram } from '../../app/program.ts'
import { usePaging } from '../../parts/paging.ts'
import { staysIfRefused } from '../../parts/refused-filters.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import { AuditLog, auditFilters } from '../audit/log.tsx'

const pages = { merchant: 'merchants', customer: 'customers', settlement: 'settlements' } as const

/** Who changed what in a program. */
export function Page() {
  const { t } = useTexts()
  const { programId } = useProgram()
  const filters = useUrlFilters(auditFilters)
  const paging = usePaging()
  const query = { ...filters.values, ...paging.query }
  const found = useQuery({
    ...askForList('/programs/{programId}/audit', { params: { path: { programId }, query } }),
    ...staysIfRefused,
  })
  const log = { found, filters, paging, pages, csv: `/programs/${programId}/audit.csv` }
  return <AuditLog {...log} lead={t('audit.program_lead')} byObject />
}
