import { Button, Table } from '@mantine/core'
import type { DataOf } from '../../api/client.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { Figure, Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { BackLink } from '../../parts/page-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { nameIn } from '../settlements/name.ts'
import classes from './settlement.module.css'

type Settlement = DataOf<'/merchants/{merchantId}/settlements/{settlementUuid}', 'get'>

/** A settlement with its sums, for the screen and for print. */
export function SettlementDetail({ settlement, path }: { settlement: Settlement; path: string }) {
  const { t, locale } = useTexts()
  const { from, until, orders, net_points, due_amount, closed_at, settlement_id } = settlement
  const facts = [
    { label: t('settlements.from'), value: from === null ? t('settlements.beginning') : <Time at={from} /> },
    { label: t('settlements.until'), value: <Time at={until} /> },
    { label: t('settlements.closed_at'), value: <Time at={closed_at} /> },
    { label: t('settlements.orders'), value: <Figure value={orders} /> },
    { label: t('settlements.net_points'), value: <Figure value={net_points} signed /> },
    { label: t('settlements.due'), value: <Money sar={due_amount} signed /> },
  ]
  return (
    <div className={classes.sheet}>
      <PageHeader
        title={nameIn(settlement, locale)}
        lead={<bdi dir="ltr">{settlement_id}</bdi>}
        above={<BackLink to="settlements">{t('settlements.name')}</BackLink>}
        actions={
          <>
            <DownloadButton path={`${path}/statement.csv`} />
            <Button variant="default" onClick={() => window.print()}>
              {t('settlements.print')}
            </Button>
          </>
        }
      />
      <Card title={t('settlements.statement')} lead={t(due_amount < 0 ? 'settlements.owed_to' : 'settlements.owes')}>
        <Facts rows={facts} />
        <Sums lines={settlement.lines} due={due_amount} />
      </Card>
    </div>
  )
}

function Sums({ lines, due }: { lines: Settlement['lines']; due: number }) {
  const { t } = useTexts()
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('settlements.line')}</Table.Th>
            <Table.Th scope="col">{t('settlements.entries')}</Table.Th>
            <Table.Th scope="col">{t('settlements.points')}</Table.Th>
            <Table.Th scope="col">{t('settlements.rate')}</Table.Th>
            <Table.Th scope="col">{t('settlements.amount')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(({ kind, sar_per_point, entries, points, amount }) => (
            <Table.Tr key={`${kind} ${sar_per_point}`}>
              <Table.Td>{t(`settlements.kind_${kind}`)}</Table.Td>
              <Table.Td>{entries === 0 ? '' : <Figure value={entries} />}</Table.Td>
              <Table.Td>{points === 0 ? '' : <Figure value={points} signed />}</Table.Td>
              <Table.Td>{sar_per_point === null ? '' : <bdi dir="ltr">{sar_per_point}</bdi>}</Table.Td>
              <Table.Td>
                <bdi dir="ltr">{amount.toFixed(6).replace(/0{1,4}$/, '')}</bdi>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row" colSpan={4}>
              {t('settlements.due')}
            </Table.Th>
            <Table.Td>
              <Money sar={due} signed />
            </Table.Td>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  )
}
