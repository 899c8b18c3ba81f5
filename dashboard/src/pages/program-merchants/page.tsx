import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RowOf } from '../../api/client.ts'
import { askForList } from '../../api/query.ts'
import { useProgram } from '../../app/program.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { merchantPath } from '../../parts/page-link.tsx'
import { usePaging } from '../../parts/paging.ts'
import { Badge } from '../../parts/status-badge.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import type { Say } from '../../texts/say.ts'
import { useTexts } from '../../texts/texts.tsx'

type Row = RowOf<'/programs/{programId}/merchants'>

/** The merchants of a program, by name. */
export function Page() {
  const { t } = useTexts()
  const { programId } = useProgram()
  const filters = useUrlFilters(['q'] as const)
  const paging = usePaging()
  const query = useQuery(
    askForList('/programs/{programId}/merchants', {
      params: { path: { programId }, query: { ...filters.values, ...paging.query } },
    }),
  )
  const find = { name: 'q', label: t('program.find'), kind: 'search', placeholder: t('program.find_hint') } as const
  return (
    <>
      <PageHeader title={t('program.merchants')} lead={t('program.merchants_lead')} />
      <FilterBar filters={[find]} of={filters} />
      <DataTable
        label={t('program.merchants')}
        query={query}
        columns={columnsOf(t)}
        rowKey={({ merchant_id }) => String(merchant_id)}
        paging={paging}
        filters={filters}
        empty={<EmptyState icon="store" title={t('program.none')} lesson={t('program.none_lesson')} />}
      />
    </>
  )
}

function columnsOf(t: Say): readonly Column<Row>[] {
  return [
    {
      name: 'name',
      header: t('program.merchant'),
      title: true,
      cell: ({ merchant_id, name }) => (
        <Anchor component={Link} to={merchantPath(String(merchant_id), '')}>
          <bdi>{name}</bdi>
        </Anchor>
      ),
    },
    {
      name: 'number',
      header: t('program.number'),
      cell: ({ merchant_id }) => <bdi dir="ltr">{merchant_id}</bdi>,
    },
    {
      name: 'standing',
      header: t('program.standing'),
      cell: ({ verified, published }) =>
        verified && published ? (
          <Badge tone="good">{t('program.published')}</Badge>
        ) : (
          <Badge tone={verified ? 'quiet' : 'warn'}>
            {t(verified ? 'program.not_published' : 'program.not_verified')}
          </Badge>
        ),
    },
  ]
}
