import { Fragment } from 'react'
import { Card, Facts } from '../../parts/card.tsx'
import { Figure } from '../../parts/money.tsx'
import { Badge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Health } from './concerns.ts'
import classes from './health.module.css'
import { sizeText, spanText } from './units.ts'

type Database = Health['database']
type Tables = Health['tables']

/** The database, and the months of its large tables. */
export function DatabaseCard({ database, tables }: { database: Database; tables: Tables }) {
  const { t, locale, format } = useTexts()
  const { connections, most_connections, oldest_transaction_s, standbys, standby_lag_s, backed_up_at } = database
  const lag = standby_lag_s === null ? '' : ` (${spanText(locale, standby_lag_s)})`
  return (
    <Card title={t('health.database')}>
      <Facts
        rows={[
          { label: t('health.version'), value: <bdi dir="ltr">PostgreSQL {database.version}</bdi> },
          { label: t('health.size'), value: sizeText(locale, database.bytes) },
          { label: t('health.migration'), value: <MigrationName of={database.migration ?? '—'} /> },
          {
            label: t('health.connections'),
            value: t('health.of', { part: format.number(connections), all: format.number(most_connections) }),
          },
          {
            label: t('health.oldest_transaction'),
            value: oldest_transaction_s === null ? t('common.none') : spanText(locale, oldest_transaction_s),
          },
          {
            label: t('health.standbys'),
            value: standbys === 0 ? t('common.none') : `${format.number(standbys)}${lag}`,
          },
          { label: t('health.started'), value: <Time at={database.started_at} style="ago" /> },
          {
            label: t('health.backup'),
            value: backed_up_at === null ? t('health.backup_unknown') : <Time at={backed_up_at} style="ago" />,
          },
        ]}
      />
      {database.is_cluster ? <p className={classes.soft}>{t('health.cluster')}</p> : null}
      {tables.map((table) => (
        <Months key={table.table} of={table} />
      ))}
    </Card>
  )
}

/** The partitions of a table, to be unfolded. */
function Months({ of: { table, partitions, next_month } }: { of: Tables[number] }) {
  const { t, locale, format } = useTexts()
  const bytes = partitions.reduce((sum, one) => sum + one.bytes, 0)
  return (
    <details className={classes.months}>
      <summary>
        <span>
          <code dir="ltr">{table}</code>
        </span>
        <span className={classes.soft}>
          {t('health.partitions', { count: partitions.length, number: format.number(partitions.length) })} ·{' '}
          {sizeText(locale, bytes)}
        </span>
        {next_month ? (
          <Badge tone="good">{t('health.next_month')}</Badge>
        ) : (
          <Badge tone="bad">{t('health.next_month_missing')}</Badge>
        )}
      </summary>
      <ul className={classes.rows}>
        {partitions.map(({ name, rows, bytes: size }) => (
          <li key={name}>
            <code dir="ltr" className={classes.grow}>
              {name}
            </code>
            <span className={classes.soft}>
              {rows === null ? '—' : <Figure value={rows} />} · {sizeText(locale, size)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** A name that breaks between its words where it does not fit. */
function MigrationName({ of }: { of: string }) {
  return (
    <bdi dir="ltr">
      {of.split(/(?<=_)/).map((part, index) => (
        <Fragment key={`${index}${part}`}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </bdi>
  )
}
