import { Alert, Button, Checkbox, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { Form } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { stale_paths, useParamsOfMerchant, useReviewed } from './merchant.ts'

/** Asks why, then stops the merchant. */
export function SuspendDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts()
  const params = useParamsOfMerchant()
  const { name } = useReviewed()
  const [reason, setReason] = useState('')
  const [keys_off, setKeysOff] = useState(false)
  const suspend = useSubmit({
    send: (body: { reason: string; keys_off: boolean }, headers) =>
      send('post', '/programs/{programId}/merchants/{merchantId}/suspend', { params, headers, body }),
    done: onClose,
    stale: stale_paths,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('review.suspend_title', { name: `\u2068${name}\u2069` })}
      closeButtonProps={{ 'aria-label': t('frame.close') }}
    >
      <Form
        of={suspend}
        onSubmit={() => suspend.submit({ reason: reason.trim(), keys_off })}
        label={t('review.suspend')}
        disabled={reason.trim() === ''}
      >
        <p>{t('review.suspend_lead')}</p>
        <Textarea
          data-autofocus
          label={t('review.reason')}
          description={t('review.reason_hint')}
          maxLength={500}
          autosize
          minRows={2}
          value={reason}
          error={suspend.fieldError('reason')}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Checkbox
          label={t('review.keys_off')}
          description={t('review.keys_off_hint')}
          checked={keys_off}
          onChange={(event) => setKeysOff(event.currentTarget.checked)}
        />
      </Form>
    </Modal>
  )
}

/** Says why the merchant does not work, with the way back. */
export function Suspended() {
  const { t } = useTexts()
  const params = useParamsOfMerchant()
  const { standing, suspended_at, suspended_by } = useReviewed()
  const [asks, setAsks] = useState(false)
  const resume = useSubmit({
    send: (keys_on: boolean, headers) =>
      send('post', '/programs/{programId}/merchants/{merchantId}/resume', { params, headers, body: { keys_on } }),
    done: () => setAsks(false),
    stale: stale_paths,
  })
  if (suspended_at === null) return null
  const values = { when: <Time at={suspended_at} />, by: <bdi>{suspended_by ?? '—'}</bdi> }
  return (
    <Alert color="red" variant="light" icon={<Icon name="block" />} title={t('review.suspended')}>
      <p>
        <bdi>{standing.suspended_reason}</bdi>
      </p>
      <p>{t.rich('review.suspended_by', values)}</p>
      <Button size="sm" variant="default" onClick={() => setAsks(true)}>
        {t('review.resume')}
      </Button>
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title={t('review.resume_title')}
        label={t('review.resume')}
        of={resume}
        onConfirm={() => resume.submit(!standing.key_status)}
      >
        {t(standing.key_status ? 'review.resume_lead' : 'review.resume_lead_keys')}
      </ConfirmDialog>
    </Alert>
  )
}
