import { SegmentedControl, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type DataOf, send } from '../../api/client.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Figure } from '../../parts/money.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { NumberField } from '../../parts/number-field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { CustomerDetail } from './customer.ts'

type Adjusted = DataOf<'/merchants/{merchantId}/customers/{customerId}/adjustments', 'post'>

/** Adds points or takes them, with a reason and within the limit of the reader's role. */
export function AdjustDialog({ detail, onClose }: { detail: CustomerDetail; onClose: () => void }) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const { customer, adjustment } = detail
  const [takes, setTakes] = useState(false)
  const [points, setPoints] = useState(Number.NaN)
  const [reason, setReason] = useState('')
  const of = useSubmit<{ points: number; reason: string }>({
    send: (body, headers) =>
      send('post', '/merchants/{merchantId}/customers/{customerId}/adjustments', {
        params: { path: { merchantId, customerId: customer.customer_id } },
        body,
        headers,
      } as never),
    done(result) {
      const { proposal } = result as unknown as Adjusted
      notifyDone(t(proposal === null ? 'customers.adjusted' : 'customers.adjust_waits'))
      onClose()
    },
    stale: [
      '/merchants/{merchantId}/customers',
      '/merchants/{merchantId}/customers/{customerId}',
      '/merchants/{merchantId}/customers/{customerId}/history',
    ],
  })
  const change = takes ? -points : points
  return (
    <Dialog opened onClose={onClose} title={t('customers.adjust')}>
      <Form
        of={of}
        onSubmit={() => of.submit({ points: change, reason: reason.trim() })}
        label={t(takes ? 'customers.adjust_take' : 'customers.adjust_add')}
        disabled={Number.isNaN(change) || reason.trim() === ''}
      >
        <Text c="dimmed">{t('customers.adjust_lead')}</Text>
        <SegmentedControl
          fullWidth
          value={takes ? 'take' : 'add'}
          data={[
            { value: 'add', label: t('customers.adjust_add') },
            { value: 'take', label: t('customers.adjust_take') },
          ]}
          onChange={(value) => setTakes(value === 'take')}
        />
        <NumberField
          label={t('customers.adjust_points')}
          description={limitText(t, adjustment, takes)}
          value={points}
          least={1}
          error={of.fieldError('points')}
          onChange={setPoints}
        />
        <TextInput
          label={t('customers.adjust_reason')}
          maxLength={500}
          value={reason}
          error={of.fieldError('reason')}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Text>
          {t('customers.adjust_after')}: <Figure value={customer.available + (change || 0)} />
        </Text>
      </Form>
    </Dialog>
  )
}

function limitText(
  t: ReturnType<typeof useTexts>['t'],
  { limit, most_taken }: CustomerDetail['adjustment'],
  takes: boolean,
): string | undefined {
  if (takes) return t('customers.adjust_most', { count: most_taken })
  return limit === null ? undefined : t('customers.adjust_limit', { count: limit })
}
