import { Anchor, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RowOf } from '../../api/client.ts'
import { askForList } from '../../api/query.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Figure } from '../../parts/money.tsx'
import { merchantPath } from '../../parts/page-link.tsx'
import { usePaging } from '../../parts/paging.ts'
import { Time } from '../../parts/time.tsx'
import type { Say } from '../../texts/say.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './person.module.css'
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

function columnsOf(t: Say, locale: 'ar' | 'en'): readonly Column<Row>[] {
  return [
    { name: 'what', header: t('customers.what'), title: true, cell: (row) => <What of={row} /> },
    {
      name: 'where',
      header: t('people.merchant'),
      cell: ({ merchant_name, merchant_name_ar }) => (
        <bdi>{(locale === 'ar' ? merchant_name_ar : null) ?? merchant_name ?? '—'}</bdi>
      ),
    },
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
  const { order_uuid, order_number, merchant_id, product_name, reason } = of
  return (
    <>
      {sayKind(t, of)}{' '}
      {order_uuid === null || merchant_id === null ? null : (
        <Anchor component={Link} to={merchantPath(String(merchant_id), `orders/${order_uuid}`)} underline="always">
          <bdi>{order_number}</bdi>
        </Anchor>
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
