import { Figure, Money } from '../../parts/money.tsx'
import { StatTile, StatTiles } from '../../parts/stat-tile.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { changeOf, type Overview, shareOf } from './figures.ts'

const orders = ({ purchases, checkouts }: Overview['totals']): number => purchases + checkouts

/** The totals of the period, each against the one before. */
export function Tiles({ of }: { of: Overview | undefined }) {
  const { t } = useTexts()
  const [now, before] = [of?.totals, of?.totals_before]
  const change = (value: (totals: Overview['totals']) => number) =>
    now === undefined || before === undefined ? {} : { change: changeOf(value(now), value(before)) }
  return (
    <StatTiles>
      <StatTile
        label={t('overview.sales')}
        value={now && <Money sar={now.sales} />}
        {...change(({ sales }) => sales)}
      />
      <StatTile
        label={t('overview.orders')}
        value={now && <Figure value={orders(now)} />}
        hint={t('overview.orders_hint')}
        {...change(orders)}
      />
      <StatTile
        label={t('overview.issued')}
        value={now && <Figure value={now.issued_points} />}
        {...change(({ issued_points }) => issued_points)}
      />
      <StatTile
        label={t('overview.redeemed')}
        value={now && <Figure value={now.redeemed_points} />}
        {...change(({ redeemed_points }) => redeemed_points)}
      />
      <StatTile
        label={t('overview.redemption_rate')}
        value={now && <Share of={shareOf(now.redeemed_points, now.issued_points)} />}
        hint={t('overview.redemption_rate_hint')}
      />
      <StatTile
        label={t('overview.new_customers')}
        value={now && <Figure value={now.new_customers} />}
        {...change(({ new_customers }) => new_customers)}
      />
      <StatTile
        label={t('overview.returning_customers')}
        value={now && <Figure value={now.returning_customers} />}
        hint={t('overview.returning_customers_hint')}
      />
      <StatTile
        label={t('overview.balance')}
        value={of && <Figure value={of.balance_points} />}
        hint={t('overview.balance_hint')}
      />
    </StatTiles>
  )
}

function Share({ of }: { of: number | null }) {
  const { format } = useTexts()
  return <bdi>{of === null ? '–' : format.percent(of)}</bdi>
}
