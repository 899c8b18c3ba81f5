import { Table } from '@mantine/core'
import type { DataOf } from '../../api/client.ts'
import { Figure, Money } from '../../parts/money.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './settlement.module.css'

type Lines = DataOf<'/merchants/{merchantId}/settlements/{settlementUuid}', 'get'>['lines']

const exact = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

/** SAR with the digits that it has: two at least, six at most. */
export function exactSar(amount: number): string {
  return exact.format(amount).replace('-', '−')
}

/** The sentence that says who owes what is due. */
export function whoOwes(due: number): 'settlements.owes' | 'settlements.owed_to' | 'settlements.nothing_due' {
  if (due === 0) return 'settlements.nothing_due'
  return due < 0 ? 'settlements.owed_to' : 'settlements.owes'
}

/** The sums of a settlement, line by line, and what is due. */
export function SettlementSums({ lines, due }: { lines: Lines; due: number }) {
  const { t } = useTexts()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to be reached by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={t('settlements.sums')}>
      <Table className={classes.sums}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('settlements.line')}</Table.Th>
            <Table.Th scope="col" data-wide-only>
              {t('settlements.entries')}
            </Table.Th>
            <Table.Th scope="col">{t('settlements.points')}</Table.Th>
            <Table.Th scope="col" data-wide-only>
              {t('settlements.rate')}
            </Table.Th>
            <Table.Th scope="col">{t('settlements.amount')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(({ kind, sar_per_point, entries, points, amount }) => (
            <Table.Tr key={`${kind} ${sar_per_point}`}>
              <Table.Td>{t(`settlements.kind_${kind}`)}</Table.Td>
              <Table.Td data-wide-only>{entries === 0 ? '' : <Figure value={entries} />}</Table.Td>
              <Table.Td>{points === 0 ? '' : <Figure value={points} signed />}</Table.Td>
              <Table.Td data-wide-only>{sar_per_point === null ? '' : <bdi dir="ltr">{sar_per_point}</bdi>}</Table.Td>
              <Table.Td>
                <bdi dir="ltr">{exactSar(amount)}</bdi>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">{t('settlements.due')}</Table.Th>
            <Table.Td data-wide-only />
            <Table.Td />
            <Table.Td data-wide-only />
            <Table.Td>
              <Money sar={due} signed />
            </Table.Td>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </section>
  )
}
