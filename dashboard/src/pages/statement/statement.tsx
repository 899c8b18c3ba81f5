import { Alert, Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DataOf } from '../../api/client.ts'
import { merchantNameIn } from '../../app/names.ts'
import { is_sandbox } from '../../app/page-facts.ts'
import { DownloadButton } from '../../parts/download-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { BackLink } from '../../parts/page-link.tsx'
import { periodText } from '../../parts/whole-days.ts'
import { useTexts } from '../../texts/texts.tsx'
import { whoOwes } from '../settlement/amounts.ts'
import { SettlementSums } from '../settlement/sums.tsx'
import { Lines } from './lines.tsx'
import { most_lines, type Page, readLines, riyadhTime } from './read-lines.ts'
import classes from './statement.module.css'

type Settlement = DataOf<'/merchants/{merchantId}/settlements/{settlementUuid}', 'get'>

/** A statement for A4: the sums, then each entry with its order. docs/settlement.md */
export function Statement({
  settlement,
  path,
  readPage,
}: {
  settlement: Settlement
  /** Below the API: `/merchants/12/settlements/0198…`. */
  path: string
  readPage: (after: string | undefined, signal: AbortSignal) => Promise<Page>
}) {
  const { t, locale } = useTexts()
  const { settlement_id } = settlement
  const { data } = useQuery({
    queryKey: ['statement', path],
    queryFn: ({ signal }) => readLines((after) => readPage(after, signal)),
    // A settlement never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <div className={classes.statement}>
      <div className={classes.screen}>
        <PageHeader
          title={t('settlements.statement')}
          above={<BackLink to={`settlements/${settlement_id}`}>{merchantNameIn(settlement, locale)}</BackLink>}
          actions={
            <>
              <DownloadButton path={`${path}/statement.csv`} />
              <Button disabled={data === undefined} onClick={() => window.print()}>
                {t('settlements.print')}
              </Button>
            </>
          }
        />
      </div>
      <article className={classes.sheet}>
        <Head settlement={settlement} />
        <h3>{t('settlements.sums')}</h3>
        <SettlementSums lines={settlement.lines} due={settlement.due_amount} />
        <h3>{t('settlements.every_entry')}</h3>
        {data === undefined ? (
          <Skeleton height={240} aria-label={t('settlements.every_entry')} />
        ) : (
          <>
            {data.more ? <TooLong /> : null}
            <Lines lines={data.lines} />
          </>
        )}
      </article>
    </div>
  )
}

/** Said on paper too: the statement is not whole. */
function TooLong() {
  const { t } = useTexts()
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="alert" />} mb="md">
      {t('settlements.too_long', { most: most_lines })}
    </Alert>
  )
}

function Head({ settlement }: { settlement: Settlement }) {
  const texts = useTexts()
  const { t, locale } = texts
  const { from, until, closed_at, settlement_id, due_amount, program_name, orders } = settlement
  const facts: readonly (readonly [string, string, 'ltr' | 'auto'])[] = [
    [t('settlements.program'), program_name, 'auto'],
    [t('settlements.period'), periodText(texts, from, until), 'auto'],
    [t('settlements.closed_at'), riyadhTime(closed_at), 'ltr'],
    [t('settlements.orders_counted'), String(orders), 'ltr'],
    [t('settlements.number'), settlement_id, 'ltr'],
  ]
  return (
    <header className={classes.head}>
      {is_sandbox ? <p className={classes.sandbox}>{t('settlements.sandbox')}</p> : null}
      <h2>
        {t('settlements.statement_of')} <bdi>{merchantNameIn(settlement, locale)}</bdi>
      </h2>
      <dl className={classes.facts}>
        {facts.map(([label, value, dir]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={value === settlement_id ? classes.id : undefined}>
              <bdi dir={dir}>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <p>
        {t(whoOwes(due_amount))} {t('settlements.riyadh_times')}
      </p>
    </header>
  )
}
