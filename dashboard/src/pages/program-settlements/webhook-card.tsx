import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { later } from '../../app/later.ts'
import { AskToLeave } from '../../parts/ask-to-leave.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { Form } from '../../parts/form.tsx'
import { notifyDone, notifyFailure } from '../../parts/notify.tsx'
import type { RotateAt } from '../../parts/rotate-dialog.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import { Time } from '../../parts/time.tsx'
import { secretTurns } from '../../parts/use-awaits-secret.ts'
import { useDraft } from '../../parts/use-draft.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { WhenLoaded } from '../../parts/when-loaded.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Notices } from './notices.tsx'
import { type ProgramWebhook, webhook_path } from './webhook.ts'

/** Loaded on demand: few readers replace the secret. */
const RotateDialog = later(() => import('../../parts/rotate-dialog.tsx'), 'RotateDialog')

type Change = 'rotate' | 'remove'

/** The webhook by which the operator's own system receives settlements. */
export function WebhookCard({ programId }: { programId: number }) {
  const { t } = useTexts()
  const { data } = useQuery({
    ...ask(webhook_path, { params: { path: { programId } } }),
    refetchInterval: ({ state }) => (state.data?.notices.some(({ state: how }) => how === 'due') ? 2_000 : false),
  })
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
            <TestButton programId={programId} />
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
      <Target programId={programId} webhook={webhook} onSecret={setSecret} />
      <Notices programId={programId} notices={notices} />
      {asked === 'rotate' ? (
        <Rotation programId={programId} onClose={() => setAsked(undefined)} onSecret={setSecret} />
      ) : null}
      {asked === 'remove' ? <Removal programId={programId} onClose={() => setAsked(undefined)} /> : null}
      <SecretDialog title={t('webhooks.new_secret')} secrets={shown} onClose={() => setSecret(undefined)} />
    </Card>
  )
}

interface Of {
  readonly programId: number
  readonly onSecret: (secret: string) => void
}

interface Address {
  readonly url: string
}

/** An address has no version: it stands for one. */
const savedOf = (url: string) => ({ url, version: url })
const addressOf = ({ url }: Address): Address => ({ url })

function Target({ programId, webhook, onSecret }: Of & { webhook: ProgramWebhook['webhook'] }) {
  const { t } = useTexts()
  const draft = useDraft(savedOf(webhook?.url ?? ''), addressOf)
  const { url } = draft.values
  const save = useSubmit({
    ...(webhook === null ? { turns: secretTurns } : {}),
    send: ({ url }: Address, headers) =>
      send('post', webhook_path, { params: { path: { programId } }, headers, body: { url: url.trim() } }),
    done({ url: saved, secret }, sent) {
      draft.settle(savedOf(saved), sent)
      if (webhook === null) onSecret(secret)
      else notifyDone(t('common.saved'))
    },
    stale: [webhook_path],
  })
  const typed = url.trim()
  const isChanged = typed !== draft.begun.url
  return (
    <Form
      of={save}
      label={t('common.save')}
      disabled={typed === '' || !isChanged}
      onSubmit={() => save.submit(draft.values)}
    >
      <TextInput
        type="url"
        dir="ltr"
        label={t('webhooks.url')}
        description={t('webhooks.url_hint')}
        maxLength={500}
        value={url}
        error={save.fieldError('url')}
        onChange={({ currentTarget }) => draft.set({ url: currentTarget.value })}
      />
      {webhook === null ? null : (
        <Facts
          rows={[
            { label: t('webhooks.secret'), value: <code dir="ltr">{webhook.secret}</code> },
            ...(webhook.next_secret_from === null
              ? []
              : [{ label: t('webhooks.secret_next'), value: <Time at={webhook.next_secret_from} /> }]),
          ]}
        />
      )}
      <AskToLeave changed={isChanged} />
    </Form>
  )
}

/** Sends a test event. The notices below show how it goes. */
function TestButton({ programId }: Pick<Of, 'programId'>) {
  const { t } = useTexts()
  const test = useSubmit({
    send: (_: undefined, headers) =>
      send('post', `${webhook_path}/test`, { params: { path: { programId } }, headers }).catch((error: unknown) => {
        notifyFailure(error, t)
        throw error
      }),
    done: () => notifyDone(t('webhooks.test_sent')),
    stale: [webhook_path],
  })
  return (
    <Button variant="default" loading={test.pending} onClick={() => test.submit(undefined)}>
      {t('webhooks.test')}
    </Button>
  )
}

function Rotation({ programId, onClose, onSecret }: Of & { onClose: () => void }) {
  const of = useSubmit({
    turns: secretTurns,
    send: (body: RotateAt, headers) =>
      send('post', `${webhook_path}/rotate`, { params: { path: { programId } }, headers, body }),
    done({ secret }) {
      onSecret(secret)
      onClose()
    },
    stale: [webhook_path],
  })
  return (
    <WhenLoaded onClose={onClose}>
      <RotateDialog of={of} opened onClose={onClose} />
    </WhenLoaded>
  )
}

function Removal({ programId, onClose }: { programId: number; onClose: () => void }) {
  const { t } = useTexts()
  const of = useSubmit({
    send: () => send('delete', webhook_path, { params: { path: { programId } } }),
    done: onClose,
    stale: [webhook_path],
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('settling.remove_title')}
      label={t('settling.remove')}
      of={of}
      onConfirm={() => of.submit(undefined)}
      danger
    >
      {t('settling.remove_lead')}
    </ConfirmDialog>
  )
}
