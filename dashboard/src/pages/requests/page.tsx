import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { askForList } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { asLinkSearch } from '../../app/search.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageButton } from '../../parts/page-link.tsx'
import { usePaging } from '../../parts/paging.ts'
import { staysIfRefused } from '../../parts/refused-filters.tsx'
import { Time } from '../../parts/time.tsx'
import { useUrlFilters, useUrlSearch } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import { FieldNames, type LoggedRequest, RequestDrawer, StatusOf } from './detail.tsx'
import classes from './requests.module.css'
import { routes } from './routes.ts'

const names = ['status', 'route', 'failure', 'request_id'] as const
const classesOfStatus = ['2xx', '4xx', '5xx'] as const

/** The same page of the list, with the way that led there. */
const besideList = { to: '.', state: (before: object) => before } as const

export function Page() {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const filters = useUrlFilters([...names, 'open'])
  const { open, ...asked } = filters.values
  const paging = usePaging()
  const status = classesOfStatus.find((one) => one === asked.status)
  const { status: _, ...others } = asked
  const query = { ...others, ...(status && { status }), ...paging.query }
  const found = useQuery({
    ...askForList('/merchants/{merchantId}/requests', { params: { path: { merchantId }, query } }),
    ...staysIfRefused,
  })
  const any = Object.keys(asked).length > 0
  const search = useUrlSearch()
  const navigate = useNavigate()
  const columns = useColumns()
  // The list stays where it is.
  const close = () => void navigate({ ...besideList, search: asLinkSearch({ ...search, open: undefined }) })
  return (
    <>
      <PageHeader title={t('requests.name')} lead={t('requests.lead')} />
      <FilterBar
        of={{ ...filters, any }}
        filters={[
          {
            name: 'request_id',
            label: t('requests.search_id'),
            kind: 'search',
            placeholder: t('requests.search_placeholder'),
          },
          {
            ...{ name: 'status', label: t('requests.status'), kind: 'choice' },
            options: classesOfStatus.map((value) => ({ value, label: t(`requests.status_${value}`) })),
          },
          {
            ...{ name: 'route', label: t('requests.route'), kind: 'choice' },
            options: routes.map((value) => ({ value, label: value.replace('/api/v1', '') })),
          },
        ]}
      />
      <DataTable
        label={t('requests.name')}
        query={found}
        columns={columns}
        rowKey={(row) => row.request_id}
        paging={paging}
        filters={{ any, clear: filters.clear }}
        empty={<Empty />}
        further={(look) => <Further look={look} />}
      />
      <p className={classes.note}>{t('requests.note')}</p>
      <RequestDrawer request_id={open} close={close} />
    </>
  )
}

function useColumns(): Column<LoggedRequest>[] {
  const { t, format } = useTexts()
  const search = useUrlSearch()
  return [
    {
      ...{ name: 'request', header: t('requests.request'), title: true },
      cell: ({ request_id, method, route, more }) => (
        <span className={classes.request}>
          <Anchor
            component={Link}
            {...besideList}
            search={asLinkSearch({ ...search, open: request_id })}
            underline="hover"
          >
            <code dir="ltr">
              {method} {route.replace('/api/v1', '')}
            </code>
          </Anchor>
          {more === 0 ? null : <span className={classes.more}>{t('requests.more', { count: more })}</span>}
        </span>
      ),
    },
    {
      ...{ name: 'status', header: t('requests.status') },
      cell: ({ status, failure, fields }) => (
        <span className={classes.answer}>
          <StatusOf status={status} />
          {failure === null ? null : (
            <FieldNames names={failure === 'validation' && fields.length > 0 ? fields.slice(0, 3) : [failure]} />
          )}
        </span>
      ),
    },
    { name: 'at', header: t('requests.at'), cell: ({ at }) => <Time at={at} /> },
    {
      ...{ name: 'duration', header: t('requests.duration'), numeric: true, wideOnly: true },
      cell: ({ duration_ms }) => t('requests.ms', { ms: format.number(duration_ms) }),
    },
  ]
}

function Empty() {
  const { t } = useTexts()
  return (
    <EmptyState
      icon="requests"
      title={t('requests.empty')}
      lesson={t('requests.empty_lesson')}
      action={
        <PageButton to="checklist" variant="default">
          {t('requests.to_checklist')}
        </PageButton>
      }
    />
  )
}

/** Each page searches a bounded part of the log: when it finds nothing there, there may be more further back. */
function Further({ look }: { look: () => void }) {
  const { t } = useTexts()
  return (
    <EmptyState
      icon="search"
      title={t('requests.further')}
      lesson={t('requests.further_lesson')}
      action={
        <Button variant="default" onClick={look}>
          {t('requests.look_further')}
        </Button>
      }
    />
  )
}
