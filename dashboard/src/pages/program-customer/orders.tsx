import { Anchor, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Locale } from '../../../../src/domain/locale.ts'
import type { RowOf } from '../../api/client.ts'
import { askForList } from '../../api/query.ts'
import { merchantNameIn } from '../../app/names.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Figure, Money } from '../../parts/money.tsx'
import { merchantPath } from '../../parts/page-link.tsx'
import type { Paging } from '../../parts/paging.ts'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Translate } from '../../texts/translate.ts'
import { useParamsOfPerson } from './person.ts'

type Row = RowOf<'/programs/{programId}/customers/{customerId}/orders'>

/** The orders of the customer at all merchants, on pages of their own beside those of the movements. */
export function Orders() {
  const { t, locale } = useTexts()
  const { path } = useParamsOfPerson()
  // The URL has the page of the movements.
  const [trail, setTrail] = useState<readonly string[]>([])
  const after = trail.at(-1)
  const query = useQuery(
    askForList('/programs/{programId}/customers/{customerId}/orders', {
      params: { path, query: { limit: '10', ...(after === undefined ? {} : { after }) } },
    }),
  )
  const paging: Paging = {
    query: {},
    toFirst: after === undefined ? undefined : () => setTrail([]),
    toPrevious: after === undefined ? undefined : () => setTrail(trail.slice(0, -1)),
    toNext: (cursor) => setTrail([...trail, cursor]),
  }
  return (
    <section>
      <Title order={2} mb="sm">
        {t('people.orders')}
      </Title>
      <DataTable
        label={t('people.orders')}
        query={query}
        columns={columnsOf(t, locale)}
        rowKey={({ uuid }) => uuid}
        paging={paging}
        empty={<EmptyState icon="orders" title={t('people.orders_none')} lesson={t('people.orders_lesson')} />}
      />
    </section>
  )
}

function columnsOf(t: Translate, locale: Locale): readonly Column<Row>[] {
  return [
    {
      name: 'number',
      header: t('people.order'),
      title: true,
      cell: ({ merchant_id, uuid, order_number, ...row }) => (
        <>
          <Anchor component={Link} to={merchantPath(String(merchant_id), `orders/${uuid}`)} underline="always">
            <bdi>{order_number}</bdi>
          </Anchor>
          <Text size="sm">
            <bdi>{merchantNameIn(row, locale)}</bdi>
          </Text>
        </>
      ),
    },
    {
      name: 'state',
      header: t('people.status'),
      cell: ({ order_status }) => <StatusBadge status={order_status} />,
    },
    { name: 'total', header: t('people.total'), numeric: true, cell: ({ total_price }) => <Money sar={total_price} /> },
    {
      name: 'points',
      header: t('people.earned_used'),
      numeric: true,
      wideOnly: true,
      cell: ({ earned_points, redeemed_points }) => (
        <>
          {earned_points === 0 && redeemed_points > 0 ? null : <Figure value={earned_points} signed />}
          {redeemed_points === 0 ? null : (
            <div>
              <Figure value={-redeemed_points} signed />
            </div>
          )}
        </>
      ),
    },
    { name: 'when', header: t('customers.when'), cell: ({ created_at }) => <Time at={created_at} style="date" /> },
  ]
}
