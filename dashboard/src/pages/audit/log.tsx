import { Button } from '@mantine/core'
import type { RowOf } from '../../api/client.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import type { Paging } from '../../parts/paging.ts'
import { Time } from '../../parts/time.tsx'
import type { UrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import { actionTexts } from './actions.ts'
import classes from './audit.module.css'
import { Difference } from './difference.tsx'

type Change = RowOf<'/merchants/{merchantId}/audit'>
type Found = Parameters<typeof DataTable<Change>>[0]['query']

export const auditFilters = ['by', 'action', 'object', 'from', 'to'] as const
type Filters = UrlFilters<(typeof auditFilters)[number]>

/** Where an object of a log has its page: `{ order: 'orders' }`. */
export type ObjectPages = Readonly<Record<string, string>>

/** The audit log of a merchant, of a program, or of the whole service. */
export function AuditLog({
  found,
  filters,
  paging,
  csv,
  title,
  lead,
  pages = {},
  byObject = false,
}: {
  found: Found
  filters: Filters
  paging: Paging
  csv: string
  title?: string
  lead: string
  pages?: ObjectPages
  /** Whether it can be asked for one object. */
  byObject?: boolean
}) {
  const { t } = useTexts()
  const columns = useColumns(pages)
  const search = { name: 'object', label: t('audit.object'), kind: 'search', placeholder: 'merchant:7' } as const
  return (
    <>
      <PageHeader
        title={title ?? t('audit.name')}
        lead={lead}
        actions={<DownloadButton path={csv} query={filters.values} />}
      />
      <FilterBar
        of={filters}
        filters={[
          { name: 'by', label: t('audit.by'), kind: 'search', placeholder: t('audit.by_placeholder') },
          ...(byObject ? [search] : []),
          {
            ...{ name: 'action', label: t('audit.action'), kind: 'choice' },
            options: Object.entries(actionTexts).map(([value, text]) => ({ value, label: t(text) })),
          },
          { name: 'from', label: t('audit.from'), kind: 'date' },
          { name: 'to', label: t('audit.to'), kind: 'date' },
        ]}
      />
      <DataTable
        label={t('audit.name')}
        query={found}
        columns={columns}
        rowKey={(row) => row.audit_id}
        paging={paging}
        filters={filters}
        empty={<EmptyState icon="audit" title={t('audit.empty')} lesson={t('audit.empty_lesson')} />}
        further={(look) => (
          <EmptyState
            icon="search"
            title={t('audit.further')}
            lesson={t('audit.further_lesson')}
            action={
              <Button variant="default" onClick={look}>
                {t('audit.look_further')}
              </Button>
            }
          />
        )}
      />
    </>
  )
}

function useColumns(pages: ObjectPages): Column<Change>[] {
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
    { name: 'object', header: t('audit.object'), cell: ({ object }) => <ObjectOf object={object} pages={pages} /> },
    {
      ...{ name: 'difference', header: t('audit.difference') },
      cell: ({ difference }) => <Difference of={difference} />,
    },
  ]
}

/** What was changed, with a link to its page where it has one. */
function ObjectOf({ object, pages }: { object: string; pages: ObjectPages }) {
  const [kind = '', id = ''] = object.split(':')
  const page = pages[kind]
  const short = id.length > 12 ? `…${id.slice(-8)}` : id
  const text = (
    <code dir="ltr" title={object} className={classes.object}>
      {kind} {short}
    </code>
  )
  return page === undefined ? text : <PageLink to={`${page}/${id}`}>{text}</PageLink>
}
