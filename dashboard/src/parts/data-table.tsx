import { Button, Group, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import classes from './data-table.module.css'
import { NothingFound } from './empty-state.tsx'
import { Icon } from './icon.tsx'
import { usePath } from './page-link.tsx'
import type { Paging } from './paging.ts'
import { isRefused, RefusedFilters } from './refused-filters.tsx'

export interface Column<Row> {
  /** Unique in the table. */
  readonly name: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers stand at the end of their column. */
  readonly numeric?: boolean
  /** The name of the row: the title of its card on a phone, and what its link says. One column has it. */
  readonly title?: boolean
  /** Left out on a phone. */
  readonly wideOnly?: boolean
}

/** Said once more because Safari forgets them where a phone shows the rows as cards. */
const roles = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const

interface ListQuery<Row> {
  readonly data: { readonly rows: readonly Row[]; readonly next: string | null } | undefined
  readonly isPlaceholderData: boolean
  readonly error?: unknown
}

/** A list: a table on a wide screen, cards on a phone; with its pages, its loading, its empty state, and its refused filters. */
export function DataTable<Row>({
  label,
  query,
  columns,
  rowKey,
  rowTo,
  paging,
  empty,
  further,
  filters,
}: {
  /** What screen readers call the table. */
  label: string
  query: ListQuery<Row>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  /** The page of a row, below the open merchant. */
  rowTo?: (row: Row) => string
  paging: Paging
  /** Shown when there is nothing yet: what will be here, and how it comes about. */
  empty: ReactNode
  /** Shown when nothing was found so far: what goes on looking. */
  further?: (look: () => void) => ReactNode
  /** When they are set, an empty list says that they match nothing; and when they are refused, why (see `staysIfRefused`). */
  filters?: { readonly any: boolean; readonly clear: () => void }
}) {
  const { data } = query
  const instead = (): ReactNode => {
    if (filters !== undefined && isRefused(query.error))
      return <RefusedFilters error={query.error} clear={filters.clear} />
    if (data === undefined || data.rows.length > 0) return undefined
    const { next } = data
    if (further !== undefined && next !== null) return further(() => paging.toNext(next))
    return filters?.any ? <NothingFound clear={filters.clear} /> : empty
  }
  const shown = instead()
  if (shown !== undefined) return <div className={classes.panel}>{shown}</div>
  return (
    <>
      <div className={classes.panel} aria-busy={data === undefined || query.isPlaceholderData}>
        <table className={classes.table} {...roles.table} aria-label={label}>
          <thead {...roles.rowgroup}>
            <tr {...roles.row}>
              {columns.map(({ name, header, numeric, wideOnly }) => (
                <th key={name} {...roles.columnheader} scope="col" data-numeric={numeric} data-wide-only={wideOnly}>
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody {...roles.rowgroup}>
            {data === undefined ? (
              <Waiting columns={columns} />
            ) : (
              data.rows.map((row) => <TableRow key={rowKey(row)} row={row} columns={columns} to={rowTo?.(row)} />)
            )}
          </tbody>
        </table>
      </div>
      <Pages paging={paging} next={data?.next ?? null} waits={query.isPlaceholderData} />
    </>
  )
}

function TableRow<Row>({ row, columns, to }: { row: Row; columns: readonly Column<Row>[]; to: string | undefined }) {
  const path = usePath()
  return (
    <tr {...roles.row} data-opens={to !== undefined}>
      {columns.map((column) => (
        <Cell key={column.name} of={column}>
          {column.title && to !== undefined ? (
            <Link to={path(to)} className={classes.open}>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </Cell>
      ))}
    </tr>
  )
}

function Cell<Row>({ of, children }: { of: Column<Row>; children: ReactNode }) {
  const { header, numeric, title, wideOnly } = of
  return (
    <td {...roles.cell} data-label={header} data-numeric={numeric} data-title={title} data-wide-only={wideOnly}>
      {children}
    </td>
  )
}

function Waiting<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return Array.from({ length: 8 }, (_, index) => (
    <tr key={`row ${index + 1}`} {...roles.row}>
      {columns.map((column) => (
        <Cell key={column.name} of={column}>
          <Skeleton height={16} width={column.title ? '8rem' : '5rem'} display="inline-block" />
        </Cell>
      ))}
    </tr>
  ))
}

/** The way through the pages of a list; nothing where it has only one. */
export function Pages({ paging, next, waits }: { paging: Paging; next: string | null; waits: boolean }) {
  const { t } = useTexts()
  const { toFirst, toPrevious, toNext } = paging
  if (next === null && toFirst === undefined) return null
  return (
    <nav aria-label={t('common.pages')} className={classes.pages}>
      <Group gap="sm">
        <Button variant="default" size="sm" disabled={toFirst === undefined} onClick={toFirst}>
          {t('common.first_page')}
        </Button>
        <Button
          variant="default"
          size="sm"
          disabled={toPrevious === undefined}
          onClick={toPrevious}
          leftSection={<Icon name="back" size={16} />}
        >
          {t('common.previous_page')}
        </Button>
        <Button
          variant="default"
          size="sm"
          disabled={next === null}
          // Until its answer is there, the page before is shown, with the cursor that led here.
          onClick={() => next !== null && !waits && toNext(next)}
          rightSection={<Icon name="arrow" size={16} />}
        >
          {t('common.next_page')}
        </Button>
      </Group>
    </nav>
  )
}
