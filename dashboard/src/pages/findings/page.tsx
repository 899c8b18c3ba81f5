import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { askForList } from '../../api/query.ts'
import { later } from '../../app/later.ts'
import { nameIn } from '../../app/names.ts'
import { useProgram } from '../../app/program.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { usePaging } from '../../parts/paging.ts'
import { Badge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Finding } from './finding.ts'
import classes from './findings.module.css'

/** Loaded when the first finding is opened. */
const FindingDialog = later(() => import('./dialog.tsx'), 'FindingDialog')

const states = ['open', 'handled', 'resolved'] as const

/** What the comparison of payments has found, and what was done about it. */
export function Page() {
  const { t } = useTexts()
  const { programId } = useProgram()
  const filters = useUrlFilters(['state'])
  const paging = usePaging()
  const [opened, setOpened] = useState<string>()
  const state = states.find((one) => one === filters.values.state)
  const query = { ...(state === undefined ? {} : { state }), ...paging.query }
  const found = useQuery(askForList('/programs/{programId}/findings', { params: { path: { programId }, query } }))
  const finding = found.data?.rows.find(({ finding_uuid }) => finding_uuid === opened)
  return (
    <>
      <PageHeader title={t('findings.name')} lead={t('findings.lead')} />
      <SegmentedControl
        className={classes.states}
        aria-label={t('findings.state')}
        value={state ?? ''}
        data={['' as const, ...states].map((value) => ({ value, label: t(`findings.state_${value || 'all'}`) }))}
        onChange={(value) => filters.set({ state: value })}
      />
      <DataTable
        label={t('findings.name')}
        query={found}
        columns={useColumns(setOpened)}
        rowKey={(row) => row.finding_uuid}
        paging={paging}
        filters={filters}
        empty={<EmptyState icon="shield" title={t('findings.empty')} lesson={t('findings.empty_lesson')} />}
      />
      <Suspense>
        {finding === undefined ? null : <FindingDialog finding={finding} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </>
  )
}

const tones = { open: 'warn', handled: 'good', resolved: 'quiet' } as const

function useColumns(open: (finding_uuid: string) => void): Column<Finding>[] {
  const { t, locale } = useTexts()
  return [
    {
      ...{ name: 'kind', header: t('findings.kind'), title: true },
      cell: ({ kind, finding_uuid }) => (
        <button type="button" className={classes.open} onClick={() => open(finding_uuid)}>
          {t(`findings.kind_${kind}`)}
        </button>
      ),
    },
    {
      ...{ name: 'state', header: t('findings.state') },
      cell: ({ state }) => <Badge tone={tones[state]}>{t(`findings.state_${state}`)}</Badge>,
    },
    {
      ...{ name: 'order', header: t('findings.order') },
      cell: ({ order, merchant }) => (
        <span className={classes.two}>
          <bdi>{order.order_number || order.reference_number}</bdi>
          <bdi className={classes.soft}>{nameIn(merchant, locale)}</bdi>
        </span>
      ),
    },
    { name: 'amount', header: t('findings.amount'), numeric: true, cell: ({ amount }) => <Money sar={amount} /> },
    { name: 'done', header: t('findings.done'), cell: ({ action }) => t(`findings.done_${action}`) },
    { name: 'found', header: t('findings.found_at'), cell: ({ found_at }) => <Time at={found_at} /> },
  ]
}
