import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { directionOf, type Locale } from '../../../../src/domain/locale.ts'
import { send } from '../../api/client.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { OrderDetail } from './order.ts'
import { stalePaths } from './stale-paths.ts'

type Status = OrderDetail['order']['status']

const statuses: readonly Status[] = [
  'new',
  'license_in_progress',
  'ready_shipping',
  'delivery_is_in_progress',
  'delivered',
  'cancelled',
]

interface Values {
  readonly status: Status
  readonly name_ar?: string
  readonly name_en?: string
}

/** Sets the shipping status, with a label in both languages or in one, which is then translated. */
export function ShippingDialog({ detail, onClose }: { detail: OrderDetail; onClose: () => void }) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const [status, setStatus] = useState<Status>(detail.order.status)
  const [labels, setLabels] = useState({ ar: '', en: '' })
  const of = useSubmit<Values>({
    send: (body, headers) =>
      send('post', '/merchants/{merchantId}/orders/{orderUuid}/status', {
        params: { path: { merchantId, orderUuid: detail.order.uuid } },
        body,
        headers,
      } as never),
    done() {
      notifyDone(t('order.done_status'))
      onClose()
    },
    stale: stalePaths,
  })
  const submit = () =>
    of.submit({
      status,
      ...(labels.ar.trim() === '' ? {} : { name_ar: labels.ar.trim() }),
      ...(labels.en.trim() === '' ? {} : { name_en: labels.en.trim() }),
    })
  const field = (locale: Locale) => (
    <TextInput
      label={t(`order.label_${locale}`)}
      placeholder={detail.order.custom_status?.[locale] ?? ''}
      maxLength={120}
      dir={directionOf(locale)}
      lang={locale}
      value={labels[locale]}
      error={of.fieldError(`name_${locale}`)}
      onChange={(event) => {
        const { value } = event.currentTarget
        setLabels((before) => ({ ...before, [locale]: value }))
      }}
    />
  )
  return (
    <Dialog opened onClose={onClose} title={t('order.act_status')}>
      <Form of={of} onSubmit={submit} label={t('common.save')}>
        <NativeSelect
          label={t('order.shipping_status')}
          data={statuses.map((value) => ({ value, label: t(`order.shipping_${value}`) }))}
          value={status}
          onChange={({ currentTarget: { value } }) => setStatus(statuses.find((one) => one === value) ?? 'new')}
        />
        {field('ar')}
        {field('en')}
        <Text size="sm" c="dimmed">
          {t('order.label_hint')}
        </Text>
      </Form>
    </Dialog>
  )
}
