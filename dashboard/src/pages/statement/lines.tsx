import { useTexts } from '../../texts/texts.tsx'
import { exactSar } from '../settlement/amounts.ts'
import { type Line, riyadhTime } from './read-lines.ts'
import classes from './statement.module.css'

/** Every entry with its order: its numbers first, then the ids that lead to the ledger. */
export function Lines({ lines }: { lines: readonly Line[] }) {
  const { t } = useTexts()
  return (
    // Scrolled by keyboard on a narrow screen.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to be reached by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={t('settlements.every_entry')}>
      <table className={classes.lines}>
        <thead>
          <tr>
            <th scope="col">{t('settlements.when')}</th>
            <th scope="col">{t('settlements.line')}</th>
            <th scope="col">{t('settlements.order_and_entry')}</th>
            <th scope="col" data-numeric>
              {t('settlements.points')}
            </th>
            <th scope="col" data-numeric>
              {t('settlements.rate')}
            </th>
            <th scope="col" data-numeric>
              {t('settlements.amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Row key={`${line.id} ${line.kind}`} line={line} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ line }: { line: Line }) {
  const { t, format } = useTexts()
  const { at, kind, points, sar_per_point, amount } = line
  return (
    <tr>
      <td>
        <bdi dir="ltr">{riyadhTime(at)}</bdi>
      </td>
      <td>{t(`settlements.kind_${kind}`)}</td>
      <td>
        <Order line={line} />
      </td>
      <td data-numeric>{points === 0 ? null : <bdi dir="ltr">{format.number(points)}</bdi>}</td>
      <td data-numeric>{sar_per_point === null ? null : <bdi dir="ltr">{sar_per_point}</bdi>}</td>
      <td data-numeric>
        <bdi dir="ltr">{exactSar(amount)}</bdi>
      </td>
    </tr>
  )
}

function Order({ line: { id, order_uuid, order_number, reference_number } }: { line: Line }) {
  const { t } = useTexts()
  const names = [order_number, reference_number].filter((name) => name !== null)
  return (
    <>
      {names.length === 0 ? null : (
        <div className={classes.names}>
          {names.map((name, index) => (
            <span key={name}>
              {index === 0 ? null : ' · '}
              <bdi>{name}</bdi>
            </span>
          ))}
        </div>
      )}
      {order_uuid === null ? null : (
        <div className={classes.id}>
          {t('settlements.order')} <bdi dir="ltr">{order_uuid}</bdi>
        </div>
      )}
      <div className={classes.id}>
        {t('settlements.entry')} <bdi dir="ltr">{id}</bdi>
      </div>
    </>
  )
}
