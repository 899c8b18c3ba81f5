import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { Locale } from '../../../../src/domain/locale.ts'
import type { RowOf } from '../../api/client.ts'
import { askForList } from '../../api/query.ts'
import { later } from '../../app/later.ts'
import { nameIn } from '../../app/names.ts'
import { useProgram } from '../../app/program.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { usePaging } from '../../parts/paging.ts'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Translate } from '../../texts/translate.ts'
import { Stage, stages } from './stage.tsx'

const CreateDialog = later(() => import('./create-dialog.tsx'), 'CreateDialog')

type Row = RowOf<'/programs/{programId}/merchants'>

/** The merchants of a program, by name. */
export function Page() {
  const { t, locale } = useTexts()
  const { programId } = useProgram()
  const [creates, setCreates] = useState(false)
  const filters = useUrlFilters(['q', 'stage'] as const)
  const paging = usePaging()
  const { q, stage } = filters.values
  const chosen = stages.find((one) => one === stage)
  const query = { ...(q === undefined ? {} : { q }), ...(chosen === undefined ? {} : { stage: chosen }) }
  const list = useQuery(
    askForList('/programs/{programId}/merchants', {
      params: { path: { programId }, query: { ...query, ...paging.query } },
    }),
  )
  const create = (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setCreates(true)}>
      {t('program.create')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('program.merchants')} lead={t('program.merchants_lead')} actions={create} />
      <FilterBar
        filters={[
          { name: 'q', label: t('program.find'), kind: 'search', placeholder: t('program.find_hint') },
          {
            name: 'stage',
            label: t('program.standing'),
            kind: 'choice',
            options: stages.map((value) => ({ value, label: t(`program.stage_${value}`) })),
          },
        ]}
        of={filters}
      />
      <DataTable
        label={t('program.merchants')}
        query={list}
        columns={columnsOf(t, locale)}
        rowKey={({ merchant_id }) => String(merchant_id)}
        rowTo={({ merchant_id }) => `merchants/${merchant_id}`}
        paging={paging}
        filters={filters}
        empty={<EmptyState icon="store" title={t('program.none')} lesson={t('program.none_lesson')} />}
      />
      {creates ? (
        <Suspense>
          <CreateDialog onClose={() => setCreates(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

function columnsOf(t: Translate, locale: Locale): readonly Column<Row>[] {
  return [
    {
      name: 'name',
      header: t('program.merchant'),
      title: true,
      cell: (row) => <bdi>{nameIn(row, locale)}</bdi>,
    },
    { name: 'number', header: t('program.number'), cell: ({ merchant_id }) => <bdi dir="ltr">{merchant_id}</bdi> },
    { name: 'standing', header: t('program.standing'), cell: ({ stage }) => <Stage stage={stage} /> },
    {
      name: 'keys',
      header: t('program.keys'),
      cell: ({ key_status }) => <StatusBadge status={key_status ? 'active' : 'off'} />,
    },
    {
      name: 'since',
      header: t('program.since'),
      wideOnly: true,
      cell: ({ created_at }) => <Time at={created_at} style="date" />,
    },
  ]
}
