import { useState } from 'react'
import { send } from '../../api/client.ts'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { EmailField } from '../../parts/email-field.tsx'
import { Form } from '../../parts/form.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import { secretTurns } from '../../parts/use-awaits-secret.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Asked, Operator } from './operator.ts'

const list = '/operator/people'

/** What was asked for about operators; a link is shown at the end where there is one. */
export function Dialogs({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const { t } = useTexts()
  const [link, setLink] = useState<string>()
  const secrets = link === undefined ? undefined : [{ label: t('operators.link'), value: link }]
  return (
    <>
      {link !== undefined ? null : asked.does === 'create' ? (
        <CreateDialog onClose={onClose} onLink={setLink} />
      ) : asked.does === 'recover' ? (
        <RecoverDialog operator={asked.operator} onClose={onClose} onLink={setLink} />
      ) : (
        <SwitchDialog operator={asked.operator} onClose={onClose} />
      )}
      <SecretDialog title={t('operators.link_title')} secrets={secrets} onClose={onClose} />
    </>
  )
}

interface WithLink {
  readonly onClose: () => void
  readonly onLink: (link: string) => void
}

function CreateDialog({ onClose, onLink }: WithLink) {
  const { t } = useTexts()
  const [email, setEmail] = useState('')
  const create = useSubmit({
    turns: secretTurns,
    send: () => send('post', list, { body: { email: email.trim() } }),
    done: ({ link }) => onLink(link),
    stale: [list],
  })
  return (
    <Dialog opened onClose={onClose} title={t('operators.create')}>
      <Form of={create} onSubmit={() => create.submit()} label={t('operators.create_submit')}>
        <p>{t('operators.create_lead')}</p>
        <EmailField
          data-autofocus
          autoComplete="off"
          value={email}
          error={create.fieldError('email')}
          onChange={setEmail}
        />
      </Form>
    </Dialog>
  )
}

function RecoverDialog({
  operator: { staff_uuid: staffUuid, email },
  onClose,
  onLink,
}: WithLink & { operator: Operator }) {
  const { t } = useTexts()
  const recover = useSubmit({
    turns: secretTurns,
    send: () => send('post', '/operator/people/{staffUuid}/recover', { params: { path: { staffUuid } } }),
    done: ({ link }) => onLink(link),
    stale: [list],
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('operators.recover_title', { email })}
      label={t('operators.recover')}
      of={recover}
      onConfirm={() => recover.submit()}
      danger
    >
      {t('operators.recover_lead')}
    </ConfirmDialog>
  )
}

function SwitchDialog({
  operator: { staff_uuid: staffUuid, email, disabled },
  onClose,
}: {
  operator: Operator
  onClose: () => void
}) {
  const { t } = useTexts()
  const params = { path: { staffUuid } }
  const change = useSubmit({
    send: () =>
      disabled
        ? send('post', '/operator/people/{staffUuid}/enable', { params })
        : send('post', '/operator/people/{staffUuid}/disable', { params }),
    done: onClose,
    stale: [list],
  })
  const does = disabled ? 'enable' : 'disable'
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t(`operators.${does}_title`, { email })}
      label={t(`operators.${does}`)}
      of={change}
      onConfirm={() => change.submit()}
      danger={!disabled}
    >
      {t(`operators.${does}_lead`)}
    </ConfirmDialog>
  )
}
