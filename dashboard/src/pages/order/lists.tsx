import type { ReactNode } from 'react'
import { Card } from '../../parts/card.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { Figure, Money } from '../../parts/money.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Outcome } from '../deliveries/outcome.tsx'
import classes from './order.module.css'
import type { OrderDetail } from './order.ts'
import { problemTexts } from './problem-texts.ts'

interface Of {
  readonly detail: OrderDetail
}

interface Part<Row> {
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  readonly numeric?: true
}

/** The rows of one order: few, so that they need no pages. */
function Rows<Row>({
  label,
  rows,
  rowKey,
  parts,
}: {
  label: string
  rows: readonly Row[]
  rowKey: (row: Row, index: number) => string
  parts: readonly Part<Row>[]
}) {
  return (
    <div className={classes.wide}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {parts.map(({ header, numeric }) => (
              <th key={header} scope="col" data-numeric={numeric}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowKey(row, index)}>
              {parts.map(({ header, cell, numeric }) => (
                <td key={header} data-numeric={numeric}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function Items({ detail: { items, source } }: Of) {
  const { t } = useTexts()
  if (source === 'product_rating' || source === 'store_rating') return null
  return (
    <Card title={t('order.items')}>
      {items.length === 0 ? (
        <p className={classes.soft}>{t('order.no_items')}</p>
      ) : (
        <Rows
          label={t('order.items')}
          rows={items}
          rowKey={({ product_name }, index) => `${index} ${product_name}`}
          parts={[
            {
              header: t('order.item'),
              // The block follows the page, so that an Arabic name on an English page begins where its column does.
              cell: ({ product_name }) => (
                <span className={classes.product}>
                  <bdi>{product_name}</bdi>
                </span>
              ),
            },
            { header: t('order.quantity'), numeric: true, cell: ({ quantity }) => <Figure value={quantity} /> },
            { header: t('order.price'), numeric: true, cell: ({ product_price }) => <Money sar={product_price} /> },
          ]}
        />
      )}
    </Card>
  )
}

/** The ledger in plain words: what moved in the customer's wallet, and what it held then. */
export function Entries({ detail: { entries } }: Of) {
  const { t } = useTexts()
  return (
    <Card title={t('order.ledger')} lead={t('order.ledger_lead')}>
      {entries.length === 0 ? (
        <p className={classes.soft}>{t('order.no_entries')}</p>
      ) : (
        <Rows
          label={t('order.ledger')}
          rows={entries}
          rowKey={({ transfer_id, bucket }) => `${transfer_id} ${bucket}`}
          parts={[
            {
              header: t('order.entry'),
              cell: ({ kind, bucket, created_at }) => (
                <>
                  {t(`order.kind_${kind}`)}
                  <div className={classes.small}>
                    {t(`order.bucket_${bucket}`)} · <Time at={created_at} />
                  </div>
                </>
              ),
            },
            { header: t('order.amount'), numeric: true, cell: ({ points }) => <Figure value={points} signed /> },
            {
              header: t('order.balance'),
              numeric: true,
              cell: ({ balance_after }) => <Figure value={balance_after} />,
            },
          ]}
        />
      )}
    </Card>
  )
}

export function Payments({ detail: { payments, order } }: Of) {
  const { t } = useTexts()
  if (order.type === 1) return null
  return (
    <Card title={t('order.payment')}>
      {payments.length === 0 ? (
        <p className={classes.soft}>{t('order.no_payment')}</p>
      ) : (
        <Rows
          label={t('order.payment')}
          rows={payments}
          rowKey={({ payment_uuid }) => payment_uuid}
          parts={[
            {
              header: t('order.provider'),
              cell: ({ provider, provider_reference, paid_with, error }) => (
                <>
                  {t(`settings.provider_${provider}`)}
                  {paid_with === null ? null : (
                    <div>{t.rich('order.paid_with', { method: <bdi>{t(`settings.method_${paid_with}`)}</bdi> })}</div>
                  )}
                  {provider_reference === null ? null : (
                    <div>
                      <Copyable value={provider_reference} what={t('order.provider_reference')} />
                    </div>
                  )}
                  {error === null ? null : <div className={classes.small}>{t(problemTexts[error])}</div>}
                </>
              ),
            },
            { header: t('order.payment_state'), cell: ({ state }) => <StatusBadge status={`payment_${state}`} /> },
            { header: t('order.total'), numeric: true, cell: ({ amount }) => <Money sar={amount} /> },
          ]}
        />
      )}
    </Card>
  )
}

export function Refunds({ detail: { refunds } }: Of) {
  const { t } = useTexts()
  if (refunds.length === 0) return null
  return (
    <Card title={t('order.refunds')}>
      <Rows
        label={t('order.refunds')}
        rows={refunds}
        rowKey={({ refund_uuid }) => refund_uuid}
        parts={[
          {
            header: t('order.when'),
            cell: ({ created_at, reason, provider_state }) => (
              <>
                <Time at={created_at} />
                {reason === null ? null : (
                  <div>
                    <bdi>{reason}</bdi>
                  </div>
                )}
                <div className={classes.small}>{t(`order.leg_${provider_state}`)}</div>
              </>
            ),
          },
          {
            header: t('order.amount'),
            numeric: true,
            cell: ({ returned_points, reversed_points }) => <Figure value={returned_points - reversed_points} signed />,
          },
          { header: t('order.total'), numeric: true, cell: ({ amount }) => <Money sar={amount} /> },
        ]}
      />
    </Card>
  )
}

export function Deliveries({ detail: { deliveries } }: Of) {
  const { t } = useTexts()
  return (
    <Card title={t('order.deliveries')}>
      {deliveries.length === 0 ? (
        <p className={classes.soft}>{t('order.no_deliveries')}</p>
      ) : (
        <Rows
          label={t('order.deliveries')}
          rows={deliveries}
          rowKey={({ delivery_id }) => delivery_id}
          parts={[
            {
              header: t('order.event'),
              cell: ({ event, delivery_id, webhook_name }) => (
                <>
                  <PageLink to={`deliveries/${delivery_id}`}>
                    <code dir="ltr">{event ?? '…'}</code>
                  </PageLink>
                  <div className={classes.small}>
                    <bdi>{webhook_name ?? t('order.webhook_deleted')}</bdi>
                  </div>
                </>
              ),
            },
            {
              header: t('order.state'),
              cell: ({ state, attempts, ended_at }) => (
                <>
                  <Outcome state={state} />
                  <div className={classes.small}>
                    {t('order.attempts', { count: attempts })}
                    {ended_at === null ? null : (
                      <>
                        {' · '}
                        <Time at={ended_at} />
                      </>
                    )}
                  </div>
                </>
              ),
            },
          ]}
        />
      )}
    </Card>
  )
}
