import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { ask } from '../../api/query.ts'
import { later } from '../../app/later.ts'
import { useMerchant, usePathParam, useSession } from '../../app/merchant.ts'
import { failureText } from '../../parts/failure-text.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { BackLink } from '../../parts/page-link.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { OrderActions } from './actions.tsx'
import { Amounts, CustomerCard, Facts } from './facts.tsx'
import { Deliveries, Entries, Items, Payments, Refunds } from './lists.tsx'
import classes from './order.module.css'
import { Happened } from './timeline.tsx'

const DisputeCard = later(() => import('./dispute.tsx'), 'DisputeCard')

export function Page() {
  const { t } = useTexts()
  const { merchantId, may } = useMerchant()
  const { is_operator } = useSession()
  const orderUuid = usePathParam('orderUuid')
  const { data, error } = useQuery(
    ask('/merchants/{merchantId}/orders/{orderUuid}', { params: { path: { merchantId, orderUuid } } }),
  )
  if (data === undefined)
    return error === null ? (
      <PageSkeleton />
    ) : (
      <>
        <PageHeader title={t('order.name')} above={<BackLink to="orders">{t('orders.name')}</BackLink>} />
        <Alert color="red" variant="light" icon={<Icon name="alert" />}>
          {failureText(error, t)}
        </Alert>
      </>
    )
  const { order } = data
  return (
    <>
      <PageHeader
        title={t('order.title', { number: `\u2068${order.order_number}\u2069` })}
        above={<BackLink to="orders">{t('orders.name')}</BackLink>}
        badge={<StatusBadge status={order.order_status} />}
        actions={may('handle_orders') ? <OrderActions detail={data} /> : undefined}
      />
      <div className={classes.page}>
        <div className={classes.main}>
          <Happened detail={data} />
          <Items detail={data} />
          <Entries detail={data} />
          <Payments detail={data} />
          <Refunds detail={data} />
          <Deliveries detail={data} />
        </div>
        <div className={classes.side}>
          <CustomerCard detail={data} />
          <Amounts detail={data} />
          <Facts detail={data} />
          <Suspense>
            {is_operator && order.settlement_status === 'pending' ? <DisputeCard detail={data} /> : null}
          </Suspense>
        </div>
      </div>
    </>
  )
}
