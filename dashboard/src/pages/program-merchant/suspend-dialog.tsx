import { Checkbox, Textarea } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { nameIn } from '../../app/names.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { stale_paths, useParamsOfMerchant, useReviewed } from './merchant.ts'

/** Asks why, then stops the merchant. */
export function SuspendDialog({ onClose }: { onClose: () => void }) {
  const { t, locale } = useTexts()
  const params = useParamsOfMerchant()
  const name = nameIn(useReviewed(), locale)
  const [reason, setReason] = useState('')
  const [keys_off, setKeysOff] = useState(false)
  const suspend = useSubmit({
    send: (body: { reason: string; keys_off: boolean }, headers) =>
      send('post', '/programs/{programId}/merchants/{merchantId}/suspend', { params, headers, body }),
    done: onClose,
    stale: stale_paths,
  })
  return (
    <Dialog opened onClose={onClose} title={t('review.suspend_title', { name: `\u2068${name}\u2069` })}>
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
    </Dialog>
  )
}
