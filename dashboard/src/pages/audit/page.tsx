import { useQuery } from '@tanstack/react-query'
import { askForList } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { usePaging } from '../../parts/paging.ts'
import { staysIfRefused } from '../../parts/refused-filters.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import { AuditLog, auditFilters } from './log.tsx'

const pages = { order: 'orders', customer: 'customers', webhook: 'webhooks', delivery: 'deliveries' } as const

/** Who changed what at a merchant. */
export function Page() {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const filters = useUrlFilters(auditFilters)
  const paging = usePaging()
  const { object: _, ...values } = filters.values
  const query = { ...values, ...paging.query }
  const found = useQuery({
    ...askForList('/merchants/{merchantId}/audit', { params: { path: { merchantId }, query } }),
    ...staysIfRefused,
  })
  const csv = `/merchants/${merchantId}/audit.csv`
  return <AuditLog found={found} filters={filters} paging={paging} csv={csv} lead={t('audit.lead')} pages={pages} />
}
