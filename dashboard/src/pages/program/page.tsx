import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { ask } from '../../api/query.ts'
import { later } from '../../app/later.ts'
import { useProgram } from '../../app/program.ts'
import { Figure, Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { StatTile, StatTiles } from '../../parts/stat-tile.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { changeOf } from '../overview/figures.ts'
import { FreshnessOfPeriod } from '../overview/freshness.tsx'
import { usePeriod } from '../overview/period.tsx'
import { overview_path, type ProgramOverview } from './overview.ts'
import { Waiting } from './waiting.tsx'

const Charts = later(() => import('../overview/charts.tsx'), 'Charts')

/** How a program does, and what waits there. */
export function Page() {
  const { programId, name } = useProgram()
  const { query, choiceAt } = usePeriod()
  const { data } = useQuery({
    ...ask(overview_path, { params: { path: { programId }, query } }),
    refetchInterval: ({ state }) => (state.data?.building === true ? 5_000 : 60_000),
  })
  return (
    <>
      <PageHeader title={name} lead={<FreshnessOfPeriod of={data} />} />
      <Stack gap="lg">
        <Waiting of={data} />
        {choiceAt(data?.today)}
        <Tiles of={data} />
        <Suspense>
          <Charts of={data} />
        </Suspense>
      </Stack>
    </>
  )
}

function Tiles({ of }: { of: ProgramOverview | undefined }) {
  const { t } = useTexts()
  const [now, before] = [of?.totals, of?.totals_before]
  const change = (name: 'sales' | 'issued_points' | 'redeemed_points') =>
    now === undefined || before === undefined ? {} : { change: changeOf(now[name], before[name]) }
  return (
    <StatTiles>
      <StatTile
        label={t('program.outstanding')}
        value={of && <Figure value={of.outstanding_points} />}
        hint={of === undefined ? undefined : t('program.outstanding_hint', { held: of.held_points })}
      />
      <StatTile
        label={t('program.customers')}
        value={of && <Figure value={of.customers} />}
        hint={t('program.customers_hint')}
      />
      <StatTile
        label={t('overview.issued')}
        value={now && <Figure value={now.issued_points} />}
        {...change('issued_points')}
      />
      <StatTile
        label={t('overview.redeemed')}
        value={now && <Figure value={now.redeemed_points} />}
        {...change('redeemed_points')}
      />
      <StatTile label={t('overview.sales')} value={now && <Money sar={now.sales} />} {...change('sales')} />
      <StatTile label={t('program.live')} value={of && <Figure value={of.merchants.live} />} />
    </StatTiles>
  )
}
