import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { stale_paths, useParamsOfPerson } from './person.ts'

/** Asks why, then blocks the customer. */
export function BlockDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts()
  const params = useParamsOfPerson()
  const [reason, setReason] = useState('')
  const block = useSubmit({
    send: (body: { reason: string }, headers) =>
      send('post', '/programs/{programId}/customers/{customerId}/block', { params, headers, body }),
    done() {
      notifyDone(t('people.blocked_now'))
      onClose()
    },
    stale: stale_paths,
  })
  return (
    <Dialog opened onClose={onClose} title={t('people.block_title')}>
      <Form
        of={block}
        onSubmit={() => block.submit({ reason: reason.trim() })}
        label={t('people.block')}
        disabled={reason.trim() === ''}
      >
        <p>{t('people.block_lead')}</p>
        <Textarea
          data-autofocus
          label={t('people.reason')}
          description={t('people.reason_hint')}
          maxLength={500}
          autosize
          minRows={2}
          value={reason}
          error={block.fieldError('reason')}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Form>
    </Dialog>
  )
}
