import { Card, Facts as FactList } from '../../parts/card.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { JsonViewer } from '../../parts/json-viewer.tsx'
import { Figure, Money } from '../../parts/money.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { Time } from '../../parts/time.tsx'
import type { TextKey } from '../../texts/catalogue.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './order.module.css'
import type { OrderDetail } from './order.ts'

interface Of {
  readonly detail: OrderDetail
}

type Rows = Parameters<typeof FactList>[0]['rows'][number][]

/** Who the order belongs to, as far as the reader may know. */
export function CustomerCard({ detail: { customer } }: Of) {
  const { t } = useTexts()
  if (customer === null)
    return (
      <Card title={t('order.customer')}>
        <p className={classes.soft}>{t('order.no_customer')}</p>
      </Card>
    )
  const phone = customer.phone ?? customer.phone_masked
  const rows: Rows = [
    ...(customer.name === null ? [] : [{ label: t('customers.customer_name'), value: <bdi>{customer.name}</bdi> }]),
    ...(phone === null ? [] : [{ label: t('customers.phone'), value: <Phone phone={phone} whole={customer.phone} /> }]),
    // The wallet of a merged number is empty: what this order moves goes to the customer who stays.
    ...(customer.status === 'merged'
      ? []
      : [
          { label: t('order.available'), value: <Figure value={customer.available} /> },
          { label: t('order.held'), value: <Figure value={customer.held} /> },
        ]),
  ]
  return (
    <Card title={t('order.customer')}>
      {customer.status === 'merged' ? <p className={classes.soft}>{t('customers.merged_lead')}</p> : null}
      {rows.length === 0 ? null : <FactList rows={rows} />}
      <PageLink to={`customers/${customer.customer_id}`}>{t('order.to_customer')}</PageLink>
    </Card>
  )
}

function Phone({ phone, whole }: { phone: string; whole: string | null }) {
  const { t } = useTexts()
  return whole === null ? <bdi dir="ltr">{phone}</bdi> : <Copyable value={whole} what={t('customers.phone')} />
}

/** The money and the points of the order. Parts that it does not have are left out. */
export function Amounts({ detail: { amounts, order } }: Of) {
  const { t } = useTexts()
  const money = (label: TextKey, sar: number | null) =>
    sar === null ? [] : [{ label: t(label), value: <Money sar={sar} /> }]
  const some = (label: TextKey, sar: number) => (sar === 0 ? [] : money(label, sar))
  const points = (label: TextKey, count: number) =>
    count === 0 ? [] : [{ label: t(label), value: <Figure value={count} /> }]
  const rows: Rows = [
    ...money('order.total', amounts.total),
    ...money('order.delivery_fee', amounts.shipping),
    ...money('order.tax', amounts.tax),
    ...money('order.discount', amounts.discount),
    ...(order.type === 2 ? some('order.with_points', amounts.redeemed) : []),
    ...(order.type === 2 ? money('order.with_money', amounts.total - amounts.redeemed) : []),
    ...some('order.refunded', amounts.refunded),
    ...points('order.points_redeemed', amounts.redeemed_points),
    ...points('order.points_returned', amounts.returned_points),
    ...points('order.points_earned', amounts.earned_points),
    ...points('order.points_reversed', amounts.reversed_points),
  ]
  return (
    <Card title={t('order.amounts')}>
      <FactList rows={rows} />
    </Card>
  )
}

export function Facts({ detail }: Of) {
  const { t } = useTexts()
  const { order, checkout, rating } = detail
  const optional = (label: TextKey, value: string | null | undefined) =>
    value === null || value === undefined ? [] : [{ label: t(label), value: <bdi>{value}</bdi> }]
  const rows: Rows = [
    {
      label: t('order.reference'),
      value: <Copyable value={order.reference_number ?? ''} what={t('order.reference')} />,
    },
    { label: t('order.kind'), value: t(`orders.source_${detail.source}`) },
    { label: t('order.created'), value: <Time at={order.created_at} /> },
    { label: t('order.shipping'), value: <bdi>{order.status_label}</bdi> },
    ...(detail.payment_method === null
      ? []
      : [{ label: t('order.payment_method'), value: t(`order.method_${detail.payment_method}` as TextKey) }]),
    ...(order.settlement_status === null
      ? []
      : [{ label: t('order.settlement'), value: t(`order.settlement_${order.settlement_status}`) }]),
    ...(checkout === null ? [] : [{ label: t('order.checkout'), value: t(`order.step_${checkout.step}`) }]),
    ...(checkout?.step === 'identify' || checkout?.step === 'choose'
      ? [{ label: t('order.expires'), value: <Time at={checkout.expires_at} /> }]
      : []),
    ...(rating?.rating === null || rating === null
      ? []
      : [{ label: t('order.rating'), value: t('order.stars', { count: rating.rating }) }]),
    ...optional('order.item', rating?.product_name),
    ...optional('order.reason', rating?.comment),
    {
      label: t('order.id'),
      value: <Copyable value={order.uuid} what={t('order.id')} shown={`…${order.uuid.slice(-12)}`} />,
    },
  ]
  return (
    <Card title={t('order.facts')}>
      <FactList rows={rows} />
      {detail.shipping_address === null ? null : (
        <JsonViewer value={detail.shipping_address} label={t('order.address')} />
      )}
      {order.metadata === null ? null : <JsonViewer value={order.metadata} label={t('order.metadata')} />}
    </Card>
  )
}
