import { Alert, Table } from '@mantine/core'
import { merchantNameIn } from '../../app/names.ts'
import { Facts } from '../../parts/card.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Figure } from '../../parts/money.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { EndTime } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import sums from '../settlement/settlement.module.css'
import { Due } from '../settlements/due.tsx'
import classes from './open-period.module.css'
import type { Run } from './run.ts'

/** What a preview or a close came to. */
export function RunOutcome({ run }: { run: Run | undefined }) {
  const { t } = useTexts()
  if (run?.state === 'failed')
    return (
      <Alert color="red" variant="light" icon={<Icon name="alert" />} role="alert" mt="lg" title={t('settling.failed')}>
        <bdi dir="ltr">{run.error}</bdi>
      </Alert>
    )
  if (run === undefined || run.result === null) return null
  const { merchants, orders, due_amount, tie, largest } = run.result
  const title = run.kind === 'preview' ? 'settling.preview_done' : 'settling.close_done'
  return (
    <section className={classes.outcome} aria-label={t(title)}>
      <p role="status">{t.rich(title, { when: <EndTime at={run.until} /> })}</p>
      <Facts
        rows={[
          { label: t('settlements.merchants'), value: <Figure value={merchants} /> },
          { label: t('settlements.orders'), value: <Figure value={orders} /> },
          { label: t('settlements.due'), value: <Due sar={due_amount} of="all" /> },
          ...(tie === null ? [] : [{ label: t('settlements.tie'), value: <Tie ties={tie.ties} /> }]),
        ]}
      />
      {run.kind === 'preview' && largest.length > 0 ? <Largest rows={largest} of={merchants} /> : null}
    </section>
  )
}

function Tie({ ties }: { ties: boolean }) {
  const { t } = useTexts()
  return <>{t(ties ? 'settlements.ties' : 'settlements.ties_not')}</>
}

type Result = NonNullable<Run['result']>

/** The merchants with the largest amounts; the sums above are of all. */
function Largest({ rows, of }: { rows: Result['largest']; of: number }) {
  const { t, locale } = useTexts()
  return (
    <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={t('settling.largest')} className={sums.sums}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('settlements.merchant')}</Table.Th>
            <Table.Th scope="col">{t('settlements.orders')}</Table.Th>
            <Table.Th scope="col">{t('settlements.net_points')}</Table.Th>
            <Table.Th scope="col">{t('settlements.due')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.merchant_id}>
              <Table.Td>
                <PageLink to={`merchants/${row.merchant_id}`}>
                  <bdi>{merchantNameIn(row, locale)}</bdi>
                </PageLink>
              </Table.Td>
              <Table.Td>
                <Figure value={row.orders} />
              </Table.Td>
              <Table.Td>
                <Figure value={row.net_points} signed />
              </Table.Td>
              <Table.Td>
                <Due sar={row.due_amount} of="program" />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {of > rows.length ? <p>{t('settling.largest_of', { shown: rows.length, all: of })}</p> : null}
    </Table.ScrollContainer>
  )
}
