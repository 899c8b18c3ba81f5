import { useQuery } from '@tanstack/react-query'
import { askForList } from '../../api/query.ts'
import { usePaging } from '../../parts/paging.ts'
import { staysIfRefused } from '../../parts/refused-filters.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import { AuditLog, auditFilters } from '../audit/log.tsx'

/** Who changed what in the whole service. */
export function Page() {
  const { t } = useTexts()
  const filters = useUrlFilters(auditFilters)
  const paging = usePaging()
  const query = { ...filters.values, ...paging.query }
  const found = useQuery({
    ...askForList('/operator/audit', { params: { query } }),
    ...staysIfRefused,
  })
  const log = { found, filters, paging, csv: '/operator/audit.csv' }
  return <AuditLog {...log} title={t('audit.operator_name')} lead={t('audit.operator_lead')} byObject />
}
