import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ask } from '../../api/query.ts'
import { Card } from '../../parts/card.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Figure } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { StatTile, StatTiles } from '../../parts/stat-tile.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { type Concern, concernsOf, type Health } from './concerns.ts'
import { DatabaseCard } from './database.tsx'
import classes from './health.module.css'
import { Jobs } from './jobs.tsx'
import { Processes } from './processes.tsx'
import { Merchants } from './queues.tsx'
import { spanText } from './units.ts'

/** While somebody looks at the page, it asks again this often. */
const refresh_ms = 5_000

/** How the whole service is. */
export function Page() {
  const { t } = useTexts()
  const { data } = useQuery({ ...ask('/operator/health'), staleTime: 0, refetchInterval: refresh_ms })
  if (data === undefined) return <PageSkeleton />
  return (
    <>
      <PageHeader title={t('health.name')} lead={t('health.lead')} />
      <Stack gap="lg">
        <Concerns of={concernsOf(data)} />
        <Queues health={data} />
        <div className={classes.columns}>
          <Stack gap="lg">
            <Merchants merchants={data.deliveries.merchants} />
            <Jobs processes={data.processes} at={data.at} />
          </Stack>
          <Stack gap="lg">
            <DatabaseCard database={data.database} tables={data.tables} />
            <Processes processes={data.processes} />
          </Stack>
        </div>
      </Stack>
    </>
  )
}

function Concerns({ of }: { of: readonly Concern[] }) {
  const { t } = useTexts()
  if (of.length === 0)
    return (
      <Alert variant="light" color="brand" icon={<Icon name="check" />} title={t('health.all_well')}>
        {t('health.all_well_lead')}
      </Alert>
    )
  return (
    <Card title={t('health.concerns', { count: of.length, number: of.length })}>
      <ul className={classes.concerns}>
        {of.map(({ text, values, detail }) => (
          <li key={`${text} ${detail ?? JSON.stringify(values)}`}>
            <Icon name="alert" size={18} />
            <span>
              {t(text, values)}
              {detail === undefined ? null : (
                <bdi dir="ltr" className={classes.detail}>
                  {detail}
                </bdi>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Queues({ health: { deliveries, messages, payment_tasks } }: { health: Health }) {
  const { t, locale } = useTexts()
  const oldest = (seconds: number) =>
    seconds === 0 ? t('health.nothing_due') : t('health.oldest', { span: spanText(locale, seconds) })
  const said = (last: Health['messages']['last_error']) =>
    last === null ? null : (
      <>
        <br />
        <bdi dir="ltr">{last.error}</bdi>
      </>
    )
  return (
    <StatTiles>
      <StatTile
        label={t('health.deliveries')}
        value={<Figure value={deliveries.waiting} />}
        hint={
          deliveries.waiting > 0 && deliveries.oldest_due_s === 0
            ? t('health.none_late')
            : oldest(deliveries.oldest_due_s)
        }
      />
      <StatTile
        label={t('health.invitations')}
        value={<Figure value={messages.due} />}
        hint={
          <>
            {oldest(messages.oldest_s)}
            {said(messages.last_error)}
          </>
        }
      />
      <StatTile
        label={t('health.payment_tasks')}
        value={<Figure value={payment_tasks.due} />}
        hint={
          <>
            {oldest(payment_tasks.oldest_s)}
            {said(payment_tasks.last_error)}
          </>
        }
      />
      <StatTile
        label={t('health.refused')}
        value={<Figure value={payment_tasks.refused} />}
        hint={t(payment_tasks.refused === 0 ? 'health.refused_none' : 'health.refused_hint')}
      />
    </StatTiles>
  )
}
