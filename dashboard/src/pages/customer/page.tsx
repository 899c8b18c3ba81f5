import { Alert, Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { ask } from '../../api/query.ts'
import { later } from '../../app/later.ts'
import { useMerchant, usePathParam } from '../../app/merchant.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import classes from '../../parts/customer.module.css'
import { failureText } from '../../parts/failure-text.ts'
import { Icon } from '../../parts/icon.tsx'
import { Figure, Points } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { BackLink, PageLink } from '../../parts/page-link.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { StatTile, StatTiles } from '../../parts/stat-tile.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { CustomerStatus } from '../customers/status.tsx'
import type { CustomerDetail } from './customer.ts'
import { History } from './history.tsx'

/** Loaded when it is opened. */
const AdjustDialog = later(() => import('./adjust.tsx'), 'AdjustDialog')

export function Page() {
  const { t } = useTexts()
  const { merchantId, may } = useMerchant()
  const customerId = usePathParam('customerId')
  const [adjusting, setAdjusting] = useState(false)
  const { data, error } = useQuery(
    ask('/merchants/{merchantId}/customers/{customerId}', { params: { path: { merchantId, customerId } } }),
  )
  const above = <BackLink to="customers">{t('customers.name')}</BackLink>
  if (data === undefined)
    return error === null ? (
      <PageSkeleton />
    ) : (
      <>
        <PageHeader title={t('customers.one')} above={above} />
        <Alert color="red" variant="light" icon={<Icon name="alert" />}>
          {failureText(error, t)}
        </Alert>
      </>
    )
  const { customer } = data
  const name = customer.name ?? customer.phone ?? customer.phone_masked ?? t('customers.unnamed')
  const canAdjust = may('adjust_wallets') && customer.phone_masked !== null
  return (
    <>
      <PageHeader
        title={`\u2068${name}\u2069`}
        above={above}
        badge={<CustomerStatus status={customer.status} />}
        actions={
          canAdjust ? (
            <Button leftSection={<Icon name="edit" size={18} />} onClick={() => setAdjusting(true)}>
              {t('customers.adjust')}
            </Button>
          ) : undefined
        }
      />
      <Merged detail={data} />
      <StatTiles>
        <StatTile label={t('customers.available')} value={<Figure value={customer.available} />} />
        <StatTile label={t('customers.held')} value={<Figure value={customer.held} />} />
        <StatTile label={t('customers.posted')} value={<Figure value={customer.posted} />} />
      </StatTiles>
      <div className={classes.page}>
        <History customerId={customerId} />
        <div className={classes.side}>
          <About detail={data} />
          <Pending detail={data} />
        </div>
      </div>
      <Suspense>{adjusting ? <AdjustDialog detail={data} onClose={() => setAdjusting(false)} /> : null}</Suspense>
    </>
  )
}

/** The number was given up for another one of the same person. */
function Merged({ detail: { customer, merged_into } }: { detail: CustomerDetail }) {
  const { t } = useTexts()
  if (customer.status !== 'merged') return null
  return (
    <Alert
      className={classes.standing}
      color="gray"
      variant="light"
      icon={<Icon name="merge" />}
      title={t('customers.merged')}
    >
      <Stack gap="xs" align="flex-start">
        <span>{t('customers.merged_lead')}</span>
        {merged_into === null ? null : <PageLink to={`customers/${merged_into}`}>{t('customers.merged_to')}</PageLink>}
      </Stack>
    </Alert>
  )
}

function About({ detail: { customer, consent } }: { detail: CustomerDetail }) {
  const { t } = useTexts()
  const agreed =
    consent === null
      ? t('customers.consent_none')
      : t.rich(consent.current ? 'customers.consent_given' : 'customers.consent_old', {
          date: <Time key="date" at={consent.created_at} style="date" />,
        })
  const phone =
    customer.phone === null ? (
      <bdi dir="ltr">{customer.phone_masked ?? '—'}</bdi>
    ) : (
      <Copyable value={customer.phone} what={t('customers.phone')} />
    )
  return (
    <Card title={t('customers.facts')}>
      <Facts
        rows={[
          { label: t('customers.phone'), value: phone },
          { label: t('customers.since'), value: <Time at={customer.created_at} style="date" /> },
          { label: t('customers.consent'), value: agreed },
          {
            label: t('customers.id'),
            value: (
              <Copyable
                value={customer.customer_id}
                what={t('customers.id')}
                shown={`…${customer.customer_id.slice(-12)}`}
              />
            ),
          },
        ]}
      />
    </Card>
  )
}

function Pending({ detail: { pending } }: { detail: CustomerDetail }) {
  const { t } = useTexts()
  if (pending.length === 0) return null
  return (
    <Card title={t('customers.pending')} lead={t('customers.pending_lead')}>
      <ul className={classes.list}>
        {pending.map(({ pending_uuid, source, order_number, total_points, created_at }) => (
          <li key={pending_uuid}>
            <div>
              {t(`customers.kind_earn_${source}`)} <bdi>{order_number}</bdi>
              <div className={classes.small}>
                <Time at={created_at} />
              </div>
            </div>
            <Points count={total_points} signed />
          </li>
        ))}
      </ul>
    </Card>
  )
}
