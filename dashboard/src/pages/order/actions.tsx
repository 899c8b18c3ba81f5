import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { send } from '../../api/client.ts'
import { later } from '../../app/later.ts'
import { useMerchant } from '../../app/merchant.ts'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { Icon } from '../../parts/icon.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { OrderDetail } from './order.ts'
import { ReasonField } from './reason-field.tsx'
import { stalePaths } from './stale-paths.ts'

/** Loaded when they are opened. */
const RefundDialog = later(() => import('./refund.tsx'), 'RefundDialog')
const ShippingDialog = later(() => import('./shipping.tsx'), 'ShippingDialog')

type Move = OrderDetail['options']['moves'][number]
type Open = Move | 'refund' | 'status'

const methods = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'] as const
type Method = (typeof methods)[number]

/** What may be done with the order now, each behind a dialog. */
export function OrderActions({ detail }: { detail: OrderDetail }) {
  const { t } = useTexts()
  const [open, setOpen] = useState<Open>()
  const { moves, refund } = detail.options
  const close = () => setOpen(undefined)
  return (
    <>
      <Button variant="default" leftSection={<Icon name="deliveries" size={18} />} onClick={() => setOpen('status')}>
        {t('order.act_status')}
      </Button>
      {moves.map((move) => (
        <Button
          key={move}
          variant={move === 'cancel' ? 'default' : 'filled'}
          onClick={() => setOpen(move)}
          {...(move === 'cancel' ? { c: 'red' } : {})}
        >
          {t(`order.act_${move}`)}
        </Button>
      ))}
      {refund.allowed ? (
        <Button leftSection={<Icon name="refund" size={18} />} onClick={() => setOpen('refund')}>
          {t('order.act_refund')}
        </Button>
      ) : null}
      {moves.map((move) => (
        <MoveDialog key={move} move={move} detail={detail} opened={open === move} onClose={close} />
      ))}
      <Suspense>
        {open === 'refund' ? <RefundDialog detail={detail} onClose={close} /> : null}
        {open === 'status' ? <ShippingDialog detail={detail} onClose={close} /> : null}
      </Suspense>
    </>
  )
}

interface MoveValues {
  readonly reason?: string
  readonly payment_method?: Method
}

function MoveDialog({
  move,
  detail,
  opened,
  onClose,
}: {
  move: Move
  detail: OrderDetail
  opened: boolean
  onClose: () => void
}) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const [reason, setReason] = useState('')
  const [method, setMethod] = useState<Method>('6')
  const params = { path: { merchantId, orderUuid: detail.order.uuid } }
  const of = useSubmit<MoveValues>({
    send: (body, headers) =>
      send('post', `/merchants/{merchantId}/orders/{orderUuid}/${move}`, { params, body, headers } as never),
    done() {
      notifyDone(t(`order.done_${move}`))
      onClose()
    },
    stale: stalePaths,
  })
  const client = useQueryClient()
  const close = () => {
    // Somebody else may have moved it meanwhile: read where it is now.
    if (of.failure !== undefined) for (const path of stalePaths) void client.invalidateQueries({ queryKey: [path] })
    of.reset()
    onClose()
  }
  const values: MoveValues =
    move === 'complete'
      ? { payment_method: method }
      : move === 'cancel' && reason.trim() !== ''
        ? { reason: reason.trim() }
        : {}
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={t(`order.act_${move}`)}
      label={t(`order.act_${move}`)}
      of={of}
      onConfirm={() => of.submit(values)}
      danger={move === 'cancel'}
    >
      <Group gap="md">
        <Text>{t(`order.ask_${move}`)}</Text>
        {move === 'cancel' ? <ReasonField value={reason} error={of.fieldError('reason')} onChange={setReason} /> : null}
        {move === 'complete' ? (
          <NativeSelect
            w="100%"
            label={t('order.method')}
            data={methods.map((value) => ({ value, label: t(`order.method_${value}`) }))}
            value={method}
            onChange={({ currentTarget: { value } }) => setMethod(methods.find((one) => one === value) ?? '6')}
          />
        ) : null}
      </Group>
    </ConfirmDialog>
  )
}
