import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { secretTurns } from '../../parts/use-awaits-secret.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

const path = '/merchants/{merchantId}/webhooks'

export function CreateDialog({
  opened,
  onClose,
  onCreated,
}: {
  opened: boolean
  onClose: () => void
  onCreated: (secret: string) => void
}) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const [values, setValues] = useState({ name: '', url: '' })
  const create = useSubmit({
    turns: secretTurns,
    send: (body: typeof values, headers) => send('post', path, { params: { path: { merchantId } }, headers, body }),
    done: ({ secret }) => {
      setValues({ name: '', url: '' })
      onCreated(secret)
    },
    stale: [path],
  })
  return (
    <Dialog opened={opened} onClose={onClose} title={t('webhooks.create')}>
      <Form of={create} onSubmit={() => create.submit(values)} label={t('webhooks.create')}>
        <TextInput
          data-autofocus
          label={t('webhooks.webhook_name')}
          description={t('webhooks.webhook_name_hint')}
          maxLength={255}
          value={values.name}
          error={create.fieldError('name')}
          onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
        />
        <TextInput
          label={t('webhooks.url')}
          description={t('webhooks.url_hint')}
          placeholder="https://shop.example/nuqta/events"
          type="url"
          dir="ltr"
          maxLength={500}
          value={values.url}
          error={create.fieldError('url')}
          onChange={(event) => setValues({ ...values, url: event.currentTarget.value })}
        />
      </Form>
    </Dialog>
  )
}
