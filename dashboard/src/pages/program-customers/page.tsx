import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '../../api/client.ts'
import { askForList } from '../../api/query.ts'
import { useProgram } from '../../app/program.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Figure } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { usePaging } from '../../parts/paging.ts'
import { Time } from '../../parts/time.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Translate } from '../../texts/translate.ts'
import { PersonStatus } from './status.tsx'
import { WaitingErasures } from './waiting-erasures.tsx'

type Row = RowOf<'/programs/{programId}/customers'>

/** The customers of a program, at all of its merchants. */
export function Page() {
  const { t } = useTexts()
  const { programId } = useProgram()
  const filters = useUrlFilters(['q'] as const, { unlisted: () => true })
  const paging = usePaging()
  const list = useQuery(
    askForList('/programs/{programId}/customers', {
      params: { path: { programId }, query: { ...filters.values, ...paging.query } },
    }),
  )
  return (
    <>
      <PageHeader title={t('people.name')} lead={t('people.lead')} />
      <WaitingErasures />
      <FilterBar
        filters={[{ name: 'q', label: t('people.find'), kind: 'search', placeholder: t('people.find_hint') }]}
        of={filters}
      />
      <DataTable
        label={t('people.name')}
        query={list}
        columns={columnsOf(t)}
        rowKey={({ customer_id }) => customer_id}
        rowTo={({ customer_id }) => `customers/${customer_id}`}
        paging={paging}
        filters={filters}
        empty={<EmptyState icon="customers" title={t('people.none')} lesson={t('people.none_lesson')} />}
      />
    </>
  )
}

function columnsOf(t: Translate): readonly Column<Row>[] {
  return [
    {
      name: 'name',
      header: t('people.customer'),
      title: true,
      cell: ({ name }) => (name === null ? t('people.unnamed') : <bdi>{name}</bdi>),
    },
    { name: 'phone', header: t('people.phone'), cell: ({ phone }) => <bdi dir="ltr">{phone ?? '—'}</bdi> },
    { name: 'status', header: t('people.status'), cell: (row) => <PersonStatus {...row} /> },
    {
      name: 'available',
      header: t('people.available'),
      numeric: true,
      cell: ({ available }) => <Figure value={available} />,
    },
    {
      name: 'held',
      header: t('people.held'),
      numeric: true,
      wideOnly: true,
      cell: ({ held }) => <Figure value={held} />,
    },
    {
      name: 'since',
      header: t('people.since'),
      wideOnly: true,
      cell: ({ created_at }) => <Time at={created_at} style="date" />,
    },
  ]
}
