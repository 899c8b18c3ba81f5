import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '../../api/client.ts'
import { askForList } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { usePaging } from '../../parts/paging.ts'
import { Time } from '../../parts/time.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import { actionTexts } from './actions.ts'
import classes from './audit.module.css'
import { Difference } from './difference.tsx'

type Change = RowOf<'/merchants/{merchantId}/audit'>

export function Page() {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const filters = useUrlFilters(['action', 'by', 'from', 'to'])
  const paging = usePaging()
  const query = { ...filters.values, ...paging.query }
  const found = useQuery(askForList('/merchants/{merchantId}/audit', { params: { path: { merchantId }, query } }))
  const next = found.data?.rows.length === 0 ? found.data.next : null
  return (
    <>
      <PageHeader
        title={t('audit.name')}
        lead={t('audit.lead')}
        actions={<DownloadButton path={`/merchants/${merchantId}/audit.csv`} query={filters.values} />}
      />
      <FilterBar
        of={filters}
        filters={[
          { name: 'by', label: t('audit.by'), kind: 'search', placeholder: t('audit.by_placeholder') },
          {
            ...{ name: 'action', label: t('audit.action'), kind: 'choice' },
            options: Object.entries(actionTexts).map(([value, text]) => ({ value, label: t(text) })),
          },
          { name: 'from', label: t('audit.from'), kind: 'date' },
          { name: 'to', label: t('audit.to'), kind: 'date' },
        ]}
      />
      {next !== null ? (
        <EmptyState
          icon="search"
          title={t('audit.further')}
          lesson={t('audit.further_lesson')}
          action={
            <Button variant="default" onClick={() => paging.toNext(next)}>
              {t('audit.look_further')}
            </Button>
          }
        />
      ) : (
        <DataTable
          label={t('audit.name')}
          query={found}
          columns={useColumns()}
          rowKey={(row) => row.audit_id}
          paging={paging}
          filters={filters}
          empty={<EmptyState icon="audit" title={t('audit.empty')} lesson={t('audit.empty_lesson')} />}
        />
      )}
    </>
  )
}

function useColumns(): Column<Change>[] {
  const { t } = useTexts()
  return [
    {
      ...{ name: 'what', header: t('audit.what'), title: true },
      cell: ({ action }) => {
        const text = actionTexts[action]
        return text === undefined ? <code dir="ltr">{action}</code> : t(text)
      },
    },
    {
      ...{ name: 'by', header: t('audit.by') },
      cell: ({ by, source }) => (
        <span className={classes.by}>
          <bdi>{by}</bdi>
          <span className={classes.source}>{t(`audit.${source}`)}</span>
        </span>
      ),
    },
    { name: 'at', header: t('audit.at'), cell: ({ at }) => <Time at={at} /> },
    { name: 'object', header: t('audit.object'), cell: ({ object }) => <ObjectOf object={object} /> },
    {
      ...{ name: 'difference', header: t('audit.difference') },
      cell: ({ difference }) => <Difference of={difference} />,
    },
  ]
}

const pages: Readonly<Record<string, string>> = {
  order: 'orders',
  customer: 'customers',
  webhook: 'webhooks',
  delivery: 'deliveries',
}

/** What was changed, with a link to its page where it has one. */
function ObjectOf({ object }: { object: string }) {
  const [kind = '', id = ''] = object.split(':')
  const page = pages[kind]
  const short = id.length > 12 ? `…${id.slice(-8)}` : id
  const text = (
    <code dir="ltr" title={object}>
      {kind} {short}
    </code>
  )
  return page === undefined ? text : <PageLink to={`${page}/${id}`}>{text}</PageLink>
}
