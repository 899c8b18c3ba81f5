import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { askForList } from '../../api/query.ts'
import { useSession } from '../../app/merchant.ts'
import { Initial } from '../../frame/merchant-switch.tsx'
import { Pages } from '../../parts/data-table.tsx'
import { EmptyState, NothingFound } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { merchantPath } from '../../parts/page-link.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { usePaging } from '../../parts/paging.ts'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './merchants.module.css'

/** Where the reader may work: at the merchants of their roles, as an operator at every one. */
export function Page() {
  return useSession().is_operator ? <AllMerchants /> : <OwnMerchants />
}

function OwnMerchants() {
  const { t } = useTexts()
  const { memberships, email } = useSession()
  if (memberships.length === 0)
    return (
      <>
        <PageHeader title={t('frame.merchants')} />
        <EmptyState
          icon="store"
          title={t('frame.no_merchants')}
          lesson={t.rich('frame.no_merchants_lesson', { email: <bdi>{email}</bdi> })}
        />
      </>
    )
  return (
    <>
      <PageHeader title={t('frame.merchants')} lead={t('frame.merchants_lead')} />
      <ul className={classes.list}>
        {memberships.map(({ merchant_id, merchant_name, role }) => (
          <Merchant key={merchant_id} merchant_id={merchant_id} name={merchant_name}>
            {t(`frame.role_${role}`)}
          </Merchant>
        ))}
      </ul>
    </>
  )
}

function AllMerchants() {
  const { t } = useTexts()
  const filters = useUrlFilters(['q'])
  const paging = usePaging()
  const query = { ...filters.values, ...paging.query }
  const { data, isPlaceholderData } = useQuery(askForList('/merchants', { params: { query } }))
  const find = { name: 'q', label: t('frame.merchants_find'), kind: 'search' } as const
  return (
    <>
      <PageHeader title={t('frame.merchants')} lead={t('frame.merchants_all')} />
      <FilterBar of={filters} filters={[{ ...find, placeholder: t('frame.merchants_find_hint') }]} />
      {data === undefined ? (
        <PageSkeleton />
      ) : data.rows.length > 0 ? (
        <>
          <ul className={classes.list} aria-busy={isPlaceholderData}>
            {data.rows.map(({ merchant_id, name, program_name, published }) => (
              <Merchant key={merchant_id} merchant_id={merchant_id} name={name}>
                {t('frame.merchant_number', { number: String(merchant_id) })} · <bdi>{program_name}</bdi>
                {published ? null : ` · ${t('frame.merchant_unpublished')}`}
              </Merchant>
            ))}
          </ul>
          <Pages paging={paging} next={data.next} />
        </>
      ) : filters.any ? (
        <NothingFound clear={filters.clear} />
      ) : (
        <EmptyState icon="store" title={t('frame.merchants_none')} lesson={t('frame.merchants_none_lesson')} />
      )}
    </>
  )
}

function Merchant({ merchant_id, name, children }: { merchant_id: number; name: string; children: ReactNode }) {
  return (
    <li>
      <Link to={merchantPath(String(merchant_id), '')} className={classes.merchant}>
        <Initial name={name} />
        <span className={classes.words}>
          <span className={classes.name}>
            <bdi>{name}</bdi>
          </span>
          <span className={classes.role}>{children}</span>
        </span>
        <Icon name="chevron" />
      </Link>
    </li>
  )
}
