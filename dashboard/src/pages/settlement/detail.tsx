import type { DataOf } from '../../api/client.ts'
import { merchantNameIn } from '../../app/names.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { Figure, Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { BackLink, PageButton } from '../../parts/page-link.tsx'
import { Time } from '../../parts/time.tsx'
import { periodText } from '../../parts/whole-days.ts'
import { useTexts } from '../../texts/texts.tsx'
import { whoOwes } from './amounts.ts'
import { SettlementSums } from './sums.tsx'

type Settlement = DataOf<'/merchants/{merchantId}/settlements/{settlementUuid}', 'get'>

/** A settlement with its sums. */
export function SettlementDetail({ settlement, path }: { settlement: Settlement; path: string }) {
  const texts = useTexts()
  const { t, locale } = texts
  const { from, until, orders, net_points, due_amount, closed_at, settlement_id } = settlement
  const facts = [
    { label: t('settlements.period'), value: periodText(texts, from, until) },
    { label: t('settlements.closed_at'), value: <Time at={closed_at} /> },
    { label: t('settlements.orders_counted'), value: <Figure value={orders} /> },
    { label: t('settlements.net_points'), value: <Figure value={net_points} signed /> },
    { label: t('settlements.due'), value: <Money sar={due_amount} signed /> },
  ]
  return (
    <>
      <PageHeader
        title={merchantNameIn(settlement, locale)}
        lead={<bdi dir="ltr">{settlement_id}</bdi>}
        above={<BackLink to="settlements">{t('settlements.name')}</BackLink>}
        actions={
          <>
            <DownloadButton path={`${path}/statement.csv`} />
            <PageButton to={`settlements/${settlement_id}/statement`}>{t('settlements.statement')}</PageButton>
          </>
        }
      />
      <Card title={t('settlements.one')} lead={t(whoOwes(due_amount))}>
        <Facts rows={facts} />
        <SettlementSums lines={settlement.lines} due={due_amount} />
      </Card>
    </>
  )
}
