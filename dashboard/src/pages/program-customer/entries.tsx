import { Anchor, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Locale } from '../../../../src/domain/locale.ts'
import type { RowOf } from '../../api/client.ts'
import { askForList } from '../../api/query.ts'
import { nameIn } from '../../app/names.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { merchantPath } from '../../parts/page-link.tsx'
import { usePaging } from '../../parts/paging.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Translate } from '../../texts/translate.ts'
import { Movement, movementColumns } from '../customer/movement.tsx'
import { useParamsOfPerson } from './person.ts'

type Row = RowOf<'/programs/{programId}/customers/{customerId}/entries'>

/** What happened to the customer's points, at all merchants. */
export function Entries() {
  const { t, locale } = useTexts()
  const { path } = useParamsOfPerson()
  const paging = usePaging()
  const query = useQuery(
    askForList('/programs/{programId}/customers/{customerId}/entries', {
      params: { path, query: { limit: '20', ...paging.query } },
    }),
  )
  return (
    <section>
      <Title order={2} mb="sm">
        {t('people.entries')}
      </Title>
      <DataTable
        label={t('people.entries')}
        query={query}
        columns={columnsOf(t, locale)}
        rowKey={({ version }) => String(version)}
        paging={paging}
        empty={<EmptyState icon="points" title={t('people.entries_none')} lesson={t('people.entries_lesson')} />}
      />
    </section>
  )
}

function columnsOf(t: Translate, locale: Locale): readonly Column<Row>[] {
  return [
    {
      name: 'what',
      header: t('customers.what'),
      title: true,
      cell: (row) => <Movement of={row} order={<OrderOf row={row} />} />,
    },
    {
      name: 'where',
      header: t('people.merchant'),
      cell: ({ merchant_name: name, merchant_name_ar: name_ar }) => (
        <bdi>{name === null ? '—' : nameIn({ name, name_ar }, locale)}</bdi>
      ),
    },
    ...movementColumns(t),
  ]
}

function OrderOf({ row: { order_uuid, order_number, merchant_id } }: { row: Row }) {
  if (order_uuid === null || merchant_id === null) return null
  return (
    <Anchor component={Link} to={merchantPath(String(merchant_id), `orders/${order_uuid}`)} underline="always">
      <bdi>{order_number}</bdi>
    </Anchor>
  )
}
