import { useQuery } from '@tanstack/react-query'
import { askForList } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { DownloadButton } from '../../parts/download-button.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { usePaging } from '../../parts/paging.ts'
import { useTexts } from '../../texts/texts.tsx'
import { SettlementList } from './list.tsx'

/** What a merchant and its program have settled. */
export function Page() {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const paging = usePaging()
  const query = useQuery(
    askForList('/merchants/{merchantId}/settlements', { params: { path: { merchantId }, query: paging.query } }),
  )
  return (
    <>
      <PageHeader
        title={t('settlements.name')}
        lead={t('settlements.lead')}
        actions={<DownloadButton path={`/merchants/${merchantId}/settlements.csv`} />}
      />
      <SettlementList query={query} paging={paging} named={false} />
    </>
  )
}
