import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '../../api/client.ts'
import { askForList } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import classes from '../../parts/customer.module.css'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { usePaging } from '../../parts/paging.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Translate } from '../../texts/translate.ts'
import { Movement, movementColumns } from './movement.tsx'

type Row = RowOf<'/merchants/{merchantId}/customers/{customerId}/history'>

/** What happened to the customer's points at this merchant, each with its reason. */
export function History({ customerId }: { customerId: string }) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const paging = usePaging()
  const query = useQuery(
    askForList('/merchants/{merchantId}/customers/{customerId}/history', {
      params: { path: { merchantId, customerId }, query: paging.query },
    }),
  )
  return (
    <section>
      <Title order={2} mb={4}>
        {t('customers.history')}
      </Title>
      <p className={`${classes.small} ${classes.lead}`}>{t('customers.history_lead')}</p>
      <DataTable
        label={t('customers.history')}
        query={query}
        columns={columnsOf(t)}
        rowKey={({ version }) => String(version)}
        paging={paging}
        empty={
          <EmptyState icon="points" title={t('customers.history_empty')} lesson={t('customers.history_empty_lesson')} />
        }
      />
    </section>
  )
}

function columnsOf(t: Translate): readonly Column<Row>[] {
  return [
    {
      name: 'what',
      header: t('customers.what'),
      title: true,
      cell: (row) => <Movement of={row} order={<OrderOf row={row} />} />,
    },
    ...movementColumns(t),
  ]
}

function OrderOf({ row: { order_uuid, order_number } }: { row: Row }) {
  if (order_uuid === null) return null
  return (
    <PageLink to={`orders/${order_uuid}`}>
      <bdi>{order_number}</bdi>
    </PageLink>
  )
}
