import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Card } from '../../parts/card.tsx'
import { startOf } from '../../parts/chart-figures.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Figure, Money } from '../../parts/money.tsx'
import type { Paging } from '../../parts/paging.ts'
import type { Format } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Translate } from '../../texts/translate.ts'
import classes from './liability.module.css'
import type { Report } from './liability.ts'

type Month = Report['months'][number]
type Row = Month & { readonly key: string; readonly name: string; readonly isSum: boolean }

/** A table shows so many months before somebody asks for all. */
const shown_months = 6

/** All of them are on one page. */
const onePage: Paging = { query: {}, toFirst: undefined, toPrevious: undefined, toNext: () => undefined }

/** The months, the newest first; then the earlier ones in one row, and the sum. */
function rowsOf({ months, earlier, ...report }: Report, t: Translate, format: Format): readonly Row[] {
  const [first] = months
  const parts = earlier === null ? months : [earlier, ...months]
  const sum = (
    name:
      | 'issued_points'
      | 'returned_points'
      | 'redeemed_points'
      | 'reversed_points'
      | 'adjusted_points'
      | 'kept_points',
  ) => parts.reduce((total, one) => total + one[name], 0)
  const kept_points = sum('kept_points')
  const total: Row = {
    ...{ key: 'total', name: t('liability.total'), isSum: true, month: null },
    issued_points: sum('issued_points'),
    returned_points: sum('returned_points'),
    redeemed_points: sum('redeemed_points'),
    reversed_points: sum('reversed_points'),
    adjusted_points: sum('adjusted_points'),
    ...{ outstanding_points: report.outstanding_points, kept_points, left_points: report.owed_points },
    left_share: kept_points === 0 ? null : report.owed_points / kept_points,
    ...{ left_value: report.owed_value, left_value_recorded: report.owed_value_recorded },
  }
  const monthName = (month: string | null) => format.month(startOf(`${month ?? ''}-01`))
  const rows = months.map((one) => ({ ...one, key: String(one.month), name: monthName(one.month), isSum: false }))
  const before = {
    key: 'earlier',
    name: t('liability.earlier', { month: monthName(first?.month ?? null) }),
    isSum: false,
  }
  return [...rows.reverse(), ...(earlier === null ? [] : [{ ...earlier, ...before }]), total]
}

/** A table of the months in a card. */
function MonthTable({
  report,
  title,
  lead,
  columns,
}: {
  report: Report
  title: string
  lead: string
  columns: readonly Column<Row>[]
}) {
  const { t, format } = useTexts()
  const [all, setAll] = useState(false)
  const rows = rowsOf(report, t, format)
  const isLong = rows.length > shown_months + 1
  const shown = all || !isLong ? rows : [...rows.slice(0, shown_months), ...rows.slice(-1)]
  return (
    <Card
      title={title}
      lead={lead}
      actions={
        isLong ? (
          <Button variant="subtle" size="compact-sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {t(all ? 'common.show_less' : 'common.show_all')}
          </Button>
        ) : undefined
      }
    >
      <DataTable
        label={title}
        query={{ data: { rows: shown, next: null }, isPlaceholderData: false }}
        columns={[
          {
            name: 'month',
            header: t('liability.month'),
            title: true,
            cell: ({ name, isSum }) => <span className={isSum ? classes.sum : undefined}>{name}</span>,
          },
          ...columns.map((column) => ({ ...column, numeric: true, cell: (row: Row) => strong(row, column.cell(row)) })),
        ]}
        rowKey={({ key }) => key}
        paging={onePage}
        empty={null}
      />
    </Card>
  )
}

function strong({ isSum }: Row, cell: ReactNode): ReactNode {
  return isSum ? <span className={classes.sum}>{cell}</span> : cell
}

/** What is left of the points of each month. */
export function AgeTable({ report }: { report: Report }) {
  const { t, format } = useTexts()
  return (
    <MonthTable
      report={report}
      title={t('liability.age')}
      lead={t('liability.age_lead')}
      columns={[
        { name: 'kept', header: t('liability.kept'), cell: (row) => <Figure value={row.kept_points} /> },
        { name: 'left', header: t('liability.left'), cell: (row) => <Figure value={row.left_points} /> },
        {
          name: 'share',
          header: t('liability.left_share'),
          cell: ({ left_share }) => <bdi>{left_share === null ? '–' : format.percent(left_share)}</bdi>,
        },
        { name: 'value', header: t('liability.left_value'), cell: (row) => <Money sar={row.left_value} /> },
      ]}
    />
  )
}

/** How the balance moved from month to month. */
export function MovementsTable({ report }: { report: Report }) {
  const { t } = useTexts()
  return (
    <MonthTable
      report={report}
      title={t('liability.movements')}
      lead={t('liability.movements_lead')}
      columns={[
        { name: 'issued', header: t('liability.issued'), cell: (row) => <Figure value={row.issued_points} signed /> },
        {
          name: 'returned',
          header: t('liability.returned'),
          cell: (row) => <Figure value={row.returned_points} signed />,
        },
        {
          name: 'redeemed',
          header: t('liability.redeemed'),
          cell: (row) => <Figure value={-row.redeemed_points} signed />,
        },
        {
          name: 'reversed',
          header: t('liability.reversed'),
          cell: (row) => <Figure value={-row.reversed_points} signed />,
        },
        {
          name: 'adjusted',
          header: t('liability.adjusted'),
          cell: (row) => <Figure value={row.adjusted_points} signed />,
        },
        { name: 'end', header: t('liability.at_end'), cell: (row) => <Figure value={row.outstanding_points} /> },
      ]}
    />
  )
}
