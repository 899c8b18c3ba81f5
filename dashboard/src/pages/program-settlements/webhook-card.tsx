import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { Form } from '../../parts/form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Notices } from './notices.tsx'
import { type Told, webhook_path } from './webhook.ts'

type Change = 'rotate' | 'remove'

/** Where the operator's own system is told of settlements. */
export function WebhookCard({ programId }: { programId: number }) {
  const { t } = useTexts()
  const { data } = useQuery(ask(webhook_path, { params: { path: { programId } } }))
  const [secret, setSecret] = useState<string>()
  const [asked, setAsked] = useState<Change>()
  if (data === undefined) return null
  const { webhook, notices } = data
  const shown = secret === undefined ? undefined : [{ label: t('webhooks.secret'), value: secret }]
  return (
    <Card
      title={t('settling.webhook')}
      lead={t('settling.webhook_lead')}
      actions={
        webhook === null ? undefined : (
          <>
            <Button variant="default" onClick={() => setAsked('rotate')}>
              {t('webhooks.rotate')}
            </Button>
            <Button color="red" variant="light" onClick={() => setAsked('remove')}>
              {t('settling.remove')}
            </Button>
          </>
        )
      }
    >
      <Target key={webhook?.url ?? ''} programId={programId} webhook={webhook} onSecret={setSecret} />
      <Notices programId={programId} notices={notices} />
      {asked === undefined ? null : (
        <ChangeDialog programId={programId} change={asked} onClose={() => setAsked(undefined)} onSecret={setSecret} />
      )}
      <SecretDialog title={t('webhooks.new_secret')} secrets={shown} onClose={() => setSecret(undefined)} />
    </Card>
  )
}

interface Of {
  readonly programId: number
  readonly onSecret: (secret: string) => void
}

function Target({ programId, webhook, onSecret }: Of & { webhook: Told['webhook'] }) {
  const { t } = useTexts()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const save = useSubmit({
    send: (sent: string, headers) =>
      send('post', webhook_path, { params: { path: { programId } }, headers, body: { url: sent } }),
    done({ secret }) {
      if (webhook === null) onSecret(secret)
      else notifyDone(t('common.saved'))
    },
    stale: [webhook_path],
  })
  const typed = url.trim()
  return (
    <Form
      of={save}
      label={t('common.save')}
      disabled={typed === '' || typed === webhook?.url}
      onSubmit={() => save.submit(typed)}
    >
      <TextInput
        type="url"
        dir="ltr"
        label={t('webhooks.url')}
        description={t('webhooks.url_hint')}
        maxLength={500}
        value={url}
        error={save.fieldError('url')}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      {webhook === null ? null : (
        <Facts rows={[{ label: t('webhooks.secret'), value: <code dir="ltr">{webhook.secret}</code> }]} />
      )}
    </Form>
  )
}

function ChangeDialog({ programId, change, onClose, onSecret }: Of & { change: Change; onClose: () => void }) {
  const { t } = useTexts()
  const params = { path: { programId } }
  const of = useSubmit({
    send: async (_: undefined, headers) => {
      if (change === 'rotate') return send('post', `${webhook_path}/rotate`, { params, headers })
      await send('delete', webhook_path, { params })
      return undefined
    },
    done(rotated) {
      if (rotated !== undefined) onSecret(rotated.secret)
      onClose()
    },
    stale: [webhook_path],
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t(change === 'rotate' ? 'webhooks.rotate' : 'settling.remove_title')}
      label={t(change === 'rotate' ? 'webhooks.rotate' : 'settling.remove')}
      of={of}
      onConfirm={() => of.submit(undefined)}
      danger
    >
      {t(change === 'rotate' ? 'settling.rotate_lead' : 'settling.remove_lead')}
    </ConfirmDialog>
  )
}
