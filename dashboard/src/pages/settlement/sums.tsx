import { Table } from '@mantine/core'
import type { DataOf } from '../../api/client.ts'
import { Figure, Money } from '../../parts/money.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { exactSar } from './amounts.ts'
import classes from './settlement.module.css'

type Lines = DataOf<'/merchants/{merchantId}/settlements/{settlementUuid}', 'get'>['lines']

/** The sums of a settlement, line by line, and what is due. Older versions kept no lines of it. */
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
      {lines.length === 0 && due !== 0 ? <p>{t('settlements.no_lines')}</p> : null}
    </section>
  )
}
