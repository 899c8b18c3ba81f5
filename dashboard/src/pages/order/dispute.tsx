import { Button, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { OrderDetail } from './order.ts'
import { stalePaths } from './stale-paths.ts'

const path = '/programs/{programId}/merchants/{merchantId}/orders/{orderUuid}/dispute'

/** Leaves an order out of settlements, and takes it in again. For operators. */
export function DisputeCard({ detail: { order } }: { detail: OrderDetail }) {
  const { t } = useTexts()
  const { merchantId, program_id: programId } = useMerchant()
  const params = { path: { programId, merchantId, orderUuid: order.uuid } }
  const { data } = useQuery(ask(path, { params }))
  const [asking, setAsking] = useState<'exclude' | 'include'>()
  const close = () => setAsking(undefined)
  const include = useSubmit({
    send: () => send('delete', path, { params }),
    stale: [path, ...stalePaths],
    done: close,
  })
  if (data === undefined) return null
  const { left_out } = data
  return (
    <Card title={t('settling.dispute')}>
      {left_out === null ? (
        <p>{t('settling.dispute_lead')}</p>
      ) : (
        <>
          <p>{t.rich('settling.left_out', { when: <Time at={left_out.since} /> })}</p>
          <Text size="sm" c="dimmed" dir="auto">
            {left_out.reason}
          </Text>
        </>
      )}
      <Button variant="default" mt="md" onClick={() => setAsking(left_out === null ? 'exclude' : 'include')}>
        {t(left_out === null ? 'settling.exclude' : 'settling.include')}
      </Button>
      <ExcludeDialog params={params} opened={asking === 'exclude'} onClose={close} />
      <ConfirmDialog
        opened={asking === 'include'}
        onClose={close}
        title={t('settling.include_title')}
        label={t('settling.include')}
        of={include}
        onConfirm={() => include.submit()}
      >
        {t('settling.include_lead')}
      </ConfirmDialog>
    </Card>
  )
}

interface Excluding {
  readonly params: {
    readonly path: { readonly programId: number; readonly merchantId: number; readonly orderUuid: string }
  }
  readonly opened: boolean
  readonly onClose: () => void
}

function ExcludeDialog({ params, opened, onClose }: Excluding) {
  const { t } = useTexts()
  const [reason, setReason] = useState('')
  const exclude = useSubmit({
    send: (why: string, headers) => send('post', path, { params, headers, body: { reason: why } }),
    stale: [path, ...stalePaths],
    done: onClose,
  })
  return (
    <Dialog opened={opened} onClose={onClose} title={t('settling.exclude_title')}>
      <Form
        of={exclude}
        label={t('settling.exclude')}
        disabled={reason.trim() === ''}
        onSubmit={() => exclude.submit(reason.trim())}
      >
        <Textarea
          label={t('settling.reason')}
          description={t('settling.reason_hint')}
          maxLength={500}
          dir="auto"
          autosize
          minRows={2}
          value={reason}
          error={exclude.fieldError('reason')}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </Form>
    </Dialog>
  )
}
