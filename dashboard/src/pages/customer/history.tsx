import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '../../api/client.ts'
import { askForList } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Figure } from '../../parts/money.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { usePaging } from '../../parts/paging.ts'
import { Time } from '../../parts/time.tsx'
import type { Say } from '../../texts/say.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './customer.module.css'

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
      <p className={classes.small}>{t('customers.history_lead')}</p>
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

function columnsOf(t: Say): readonly Column<Row>[] {
  return [
    { name: 'what', header: t('customers.what'), title: true, cell: (row) => <What of={row} /> },
    {
      name: 'points',
      header: t('customers.points'),
      numeric: true,
      cell: ({ points }) => <Figure value={points} signed />,
    },
    {
      name: 'balance',
      header: t('customers.balance'),
      numeric: true,
      cell: ({ balance_after }) => <Figure value={balance_after} />,
    },
    { name: 'when', header: t('customers.when'), cell: ({ at }) => <Time at={at} /> },
  ]
}

function What({ of }: { of: Row }) {
  const { t } = useTexts()
  const { order_uuid, order_number, product_name, reason } = of
  return (
    <>
      {sayKind(t, of)}{' '}
      {order_uuid === null ? null : (
        <PageLink to={`orders/${order_uuid}`}>
          <bdi>{order_number}</bdi>
        </PageLink>
      )}
      {[product_name, reason].map((text) =>
        text === null ? null : (
          <div key={text} className={classes.small}>
            <bdi>{text}</bdi>
          </div>
        ),
      )}
    </>
  )
}

function sayKind(t: Say, { kind, source, hold_state }: Row): string {
  if (kind === 'earn') return t(`customers.kind_earn_${source ?? 'purchase'}`)
  if (kind === 'hold') return t(`customers.kind_hold_${hold_state ?? 'open'}`)
  return t(`customers.kind_${kind}`)
}
