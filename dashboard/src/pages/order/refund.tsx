import { Alert, Skeleton, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { type DataOf, send } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import { ask } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Arrow } from '../../parts/arrow.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { failureText } from '../../parts/failure-text.ts'
import { Form } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Figure, Money, Points } from '../../parts/money.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { NumberField } from '../../parts/number-field.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './order.module.css'
import type { OrderDetail } from './order.ts'
import { ReasonField } from './reason-field.tsx'
import { stalePaths } from './stale-paths.ts'

type Preview = DataOf<'/merchants/{merchantId}/orders/{orderUuid}/refund-preview', 'get'>

const order_path = '/merchants/{merchantId}/orders/{orderUuid}'

/** Refunds all that is left, or a part of it, and shows both legs while one types. */
export function RefundDialog({ detail, onClose }: { detail: OrderDetail; onClose: () => void }) {
  const { t, format } = useTexts()
  const { merchantId } = useMerchant()
  const { up_to, until } = detail.options.refund
  const [amount, setAmount] = useState(up_to)
  const [reason, setReason] = useState('')
  const [asked] = useDebouncedValue(amount, 200)
  const path = { merchantId, orderUuid: detail.order.uuid }
  const of = useSubmit<{ amount: number; reason?: string }>({
    send: (body, headers) =>
      send('post', '/merchants/{merchantId}/orders/{orderUuid}/refund', { params: { path }, body, headers } as never),
    done() {
      notifyDone(t('order.done_refund'))
      onClose()
    },
    stale: stalePaths,
  })
  // While this refund is being sent, it may already have lowered what is left.
  const isTooMuch = up_to > 0 && asked > up_to && !of.pending
  const preview = useQuery({
    ...ask('/merchants/{merchantId}/orders/{orderUuid}/refund-preview', {
      params: { path, query: { amount: String(asked) } },
    }),
    // A refund that was sent changes the answer: nobody asks about it again.
    enabled: !Number.isNaN(asked) && !isTooMuch && !of.pending,
    throwOnError: false,
    retry: false,
    staleTime: 0,
  })
  const refusal = preview.error ?? of.failure
  const client = useQueryClient()
  // Somebody else may have refunded meanwhile: read what is left.
  useEffect(() => {
    if (refusal instanceof ApiFailure) void client.invalidateQueries({ queryKey: [order_path] })
  }, [refusal, client])
  const submit = () => of.submit({ amount, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) })
  const values = { amount: format.sar(up_to), date: until === null ? '' : format.moment(until) }
  // Without an answer to what was sent, the form says why, and what was confirmed can be sent again.
  const isSaid = isUnanswered(preview.error) && (of.pending || isUnanswered(of.failure))
  // Only what was shown can be confirmed.
  const isShown = preview.isSuccess || (isSaid && preview.data !== undefined)
  const ready = amount === asked && !isTooMuch && isShown && !preview.isFetching
  return (
    <Dialog opened onClose={onClose} title={t('order.act_refund')}>
      <Form
        of={isTooMuch ? { ...of, error: undefined } : of}
        onSubmit={submit}
        disabled={!ready}
        label={Number.isNaN(amount) ? t('order.act_refund') : t('order.refund_confirm', { amount: format.sar(amount) })}
      >
        <Text c="dimmed">{t(until === null ? 'order.refund_lead_open' : 'order.refund_lead', values)}</Text>
        <NumberField
          label={t('order.refund_amount')}
          value={amount}
          money
          least={0.01}
          error={isTooMuch ? t('order.refund_too_much', values) : of.fieldError('amount')}
          onChange={setAmount}
        />
        <ReasonField value={reason} error={of.fieldError('reason')} onChange={setReason} />
        <div aria-live="polite">
          <Outcome preview={preview} waits={Number.isNaN(amount) || isTooMuch} isSaid={isSaid} />
        </div>
      </Form>
    </Dialog>
  )
}

const isUnanswered = (error: unknown): boolean => error instanceof ApiFailure && error.status === 0

/** What the refund will do, or why that is not known. */
function Outcome({
  preview: { data, error, isFetching },
  waits,
  isSaid,
}: {
  preview: Pick<UseQueryResult<Preview>, 'data' | 'error' | 'isFetching'>
  waits: boolean
  isSaid: boolean
}) {
  const { t } = useTexts()
  if (waits) return <Text c="dimmed">{t('order.preview_waits')}</Text>
  if (error !== null && !isFetching && !isSaid)
    return (
      <Alert color="red" variant="light" icon={<Icon name="alert" />}>
        {failureText(error, t)}
      </Alert>
    )
  if (data !== undefined) return <Legs preview={data} />
  return isSaid ? null : <Skeleton height={150} />
}

/** Both legs of the refund, the wallet and the order after it. */
function Legs({ preview }: { preview: Preview }) {
  const { t } = useTexts()
  const { provider_amount, merchant_amount, reversed_points, returned_points, wallet, order_status } = preview
  const rows: [label: string, shown: boolean, value: ReactNode][] = [
    [t('order.preview_money_provider'), provider_amount > 0, <Money key="value" sar={provider_amount} />],
    [t('order.preview_money_merchant'), merchant_amount > 0, <Money key="value" sar={merchant_amount} />],
    [t('order.preview_returned'), returned_points > 0, <Points key="value" count={returned_points} />],
    [t('order.preview_reversed'), reversed_points > 0, <Points key="value" count={reversed_points} />],
    [
      t('order.preview_wallet'),
      wallet !== null,
      wallet === null ? null : (
        <span key="value">
          <Figure value={wallet.before.available} /> <Arrow /> <Figure value={wallet.after.available} />
        </span>
      ),
    ],
    [t('order.preview_order'), true, <StatusBadge key="value" status={order_status} />],
    [t('order.preview_left'), preview.left_amount > 0, <Money key="value" sar={preview.left_amount} />],
  ]
  return (
    <Stack gap="sm">
      <section className={classes.preview}>
        <h3>{t('order.preview')}</h3>
        <dl>
          {rows.map(([label, shown, value]) =>
            shown ? (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ) : null,
          )}
        </dl>
      </section>
      {wallet !== null && wallet.after.available < 0 ? (
        <Alert color="yellow" variant="light" icon={<Icon name="alert" />}>
          {t('order.negative')}
        </Alert>
      ) : null}
    </Stack>
  )
}
