import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Points } from '../../parts/money.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { erasure_path, type PersonDetail, stale_paths, useParamsOfPerson } from './person.ts'

/** Asks for the number once more, and why. */
export function EraseDialog({
  detail: {
    customer: { phone, posted, held },
  },
  onClose,
}: {
  detail: PersonDetail
  onClose: () => void
}) {
  const { t } = useTexts()
  const params = useParamsOfPerson()
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const erase = useSubmit({
    send: (body: { phone: string; reason: string }, headers) => send('post', erasure_path, { params, headers, body }),
    done() {
      notifyDone(t('people.erase_asked'))
      onClose()
    },
    stale: stale_paths,
  })
  return (
    <Dialog opened onClose={onClose} title={t('people.erase_title')}>
      <Form
        of={erase}
        onSubmit={() => erase.submit({ phone: typed.trim(), reason: reason.trim() })}
        label={t('people.erase_confirm')}
        danger
        disabled={typed.trim() === '' || reason.trim() === ''}
      >
        <p>{t('people.erase_what')}</p>
        {posted > 0 ? <p>{t.rich('people.erase_points', { points: <Points key="points" count={posted} /> })}</p> : null}
        {held > 0 ? <p>{t('people.erase_held')}</p> : null}
        <TextInput
          data-autofocus
          dir="ltr"
          inputMode="tel"
          autoComplete="off"
          label={t('people.erase_phone')}
          description={t.rich('people.erase_phone_hint', {
            phone: (
              <bdi key="phone" dir="ltr">
                {phone}
              </bdi>
            ),
          })}
          maxLength={40}
          value={typed}
          error={erase.fieldError('phone')}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Textarea
          label={t('people.reason')}
          description={t('people.erase_reason_hint')}
          maxLength={500}
          autosize
          minRows={2}
          value={reason}
          error={erase.fieldError('reason')}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Form>
    </Dialog>
  )
}
