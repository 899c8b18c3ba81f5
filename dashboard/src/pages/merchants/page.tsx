import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ask, askForList } from '../../api/query.ts'
import { programsOptions } from '../../api/session.ts'
import { useSession } from '../../app/merchant.ts'
import { merchantOf, nameIn } from '../../app/names.ts'
import { Initial } from '../../frame/area-switch.tsx'
import { Pages } from '../../parts/data-table.tsx'
import { EmptyState, NothingFound } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Figure } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { merchantPath, programPath } from '../../parts/page-link.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { usePaging } from '../../parts/paging.ts'
import { Time } from '../../parts/time.tsx'
import { useUrlFilters } from '../../parts/url-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Freshness } from '../overview/freshness.tsx'
import classes from './merchants.module.css'

/** Where the reader may work: at the merchants of their roles, as an operator everywhere. */
export function Page() {
  return useSession().is_operator ? <EveryPlace /> : <OwnMerchants />
}

function OwnMerchants() {
  const { t, locale } = useTexts()
  const { memberships, email } = useSession()
  if (memberships.length === 0)
    return (
      <>
        <PageHeader title={t('frame.merchants')} />
        <EmptyState
          panel
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
        {memberships.map((one) => (
          <Place
            key={one.merchant_id}
            to={merchantPath(String(one.merchant_id), '')}
            name={nameIn(merchantOf(one), locale)}
          >
            {t(`frame.role_${one.role}`)}
          </Place>
        ))}
      </ul>
    </>
  )
}

/** An operator of several programs chooses one, or goes straight to a merchant of any. */
function EveryPlace() {
  const { t } = useTexts()
  const { data } = useQuery(programsOptions)
  return (
    <>
      <PageHeader title={t('program.home_programs')} lead={t('program.home_programs_lead')} />
      {data === undefined ? (
        <PageSkeleton />
      ) : (
        <ul className={classes.list}>
          {data.rows.map(({ program_id, name }, index) => (
            <Program key={program_id} programId={program_id} name={name} withFigures={index < most_figures} />
          ))}
        </ul>
      )}
      <Title order={2} className={classes.next}>
        {t('frame.merchants')}
      </Title>
      <AllMerchants />
    </>
  )
}

/** Further programs show their names alone. */
const most_figures = 12

/** A program beside others, with how it does. */
function Program({ programId, name, withFigures }: { programId: number; name: string; withFigures: boolean }) {
  const { t } = useTexts()
  const params = { path: { programId }, query: { days: '30' } }
  const { data } = useQuery({
    ...ask('/programs/{programId}/overview', { params }),
    enabled: withFigures,
    refetchInterval: ({ state }) => (state.data?.building === true ? 5_000 : 60_000),
    throwOnError: false,
  })
  const waits = data === undefined ? 0 : data.merchants.unverified
  return (
    <Place to={programPath(String(programId), '')} name={name}>
      {data === undefined ? (
        t('program.home_program_number', { number: String(programId) })
      ) : (
        <>
          <span>{t('program.home_program_merchants', { count: data.merchants.live })}</span>
          <span>
            {t.rich('program.home_program_outstanding', { points: <Figure value={data.outstanding_points} /> })}
          </span>
          <span>{t.rich('program.home_program_issued', { points: <Figure value={data.totals.issued_points} /> })}</span>
          {waits === 0 ? null : (
            <span className={classes.waits}>{t('program.waiting_unverified', { count: waits })}</span>
          )}
          <span>
            {data.building || data.as_of === null ? (
              <Freshness of={data} />
            ) : (
              t.rich('program.home_program_as_of', { time: <Time at={data.as_of} /> })
            )}
          </span>
        </>
      )}
    </Place>
  )
}

function AllMerchants() {
  const { t, locale } = useTexts()
  const filters = useUrlFilters(['q'])
  const paging = usePaging()
  const query = { ...filters.values, ...paging.query }
  const { data, isPlaceholderData } = useQuery(askForList('/merchants', { params: { query } }))
  const find = { name: 'q', label: t('program.home_merchants_find'), kind: 'search' } as const
  return (
    <>
      <FilterBar of={filters} filters={[{ ...find, placeholder: t('program.home_merchants_find_hint') }]} />
      {data === undefined ? (
        <PageSkeleton />
      ) : data.rows.length > 0 ? (
        <>
          <ul className={classes.list} aria-busy={isPlaceholderData}>
            {data.rows.map(({ merchant_id, program_name, published, ...names }) => (
              <Place key={merchant_id} to={merchantPath(String(merchant_id), '')} name={nameIn(names, locale)}>
                {t('frame.merchant_number', { number: String(merchant_id) })} · <bdi>{program_name}</bdi>
                {published ? null : ` · ${t('program.home_merchant_unpublished')}`}
              </Place>
            ))}
          </ul>
          <Pages paging={paging} next={data.next} waits={isPlaceholderData} />
        </>
      ) : filters.any ? (
        <NothingFound clear={filters.clear} />
      ) : (
        <EmptyState
          panel
          icon="store"
          title={t('program.home_merchants_none')}
          lesson={t('program.home_merchants_none_lesson')}
        />
      )}
    </>
  )
}

/** A card that leads to a merchant or a program. */
function Place({ to, name, children }: { to: string; name: string; children: ReactNode }) {
  return (
    <li>
      <Link to={to} className={classes.merchant}>
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
