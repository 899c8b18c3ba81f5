import { Button, Group, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type DataOf, send } from '../../api/client.ts'
import { useMerchant, useSession } from '../../app/merchant.ts'
import { mails } from '../../app/page-facts.ts'
import { AskToLeave } from '../../parts/ask-to-leave.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { EmailField } from '../../parts/email-field.tsx'
import { Form } from '../../parts/form.tsx'
import { secretTurns, useAwaitsSecret } from '../../parts/use-awaits-secret.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { RoleChoice } from './role-choice.tsx'
import classes from './team.module.css'
import { type Role, team_path } from './team.ts'

const path = '/merchants/{merchantId}/team/invitations'

/** Invites somebody, then says how they get the link. */
export function InviteDialog({
  opened,
  onClose,
  initialRole = 'support',
}: {
  opened: boolean
  onClose: () => void
  initialRole?: Role
}) {
  const { t } = useTexts()
  const [invited, setInvited] = useState<DataOf<typeof path, 'post'>>()
  const awaited = useAwaitsSecret()
  const shows_link = typeof invited?.link === 'string'
  const close = () => {
    setInvited(undefined)
    onClose()
  }
  return (
    <>
      <Dialog
        opened={opened}
        onClose={close}
        title={t(invited === undefined ? 'team.invite_title' : 'team.invited_title')}
        // The link is shown this once: the button below alone closes it.
        withCloseButton={!shows_link}
        closeOnClickOutside={!shows_link}
        closeOnEscape={!shows_link}
      >
        {invited === undefined ? (
          <InviteForm onInvited={setInvited} initialRole={initialRole} />
        ) : (
          <Invited email={invited.email} link={invited.link} onClose={close} />
        )}
      </Dialog>
      <AskToLeave changed={shows_link || awaited}>{t('settings.shown_once')}</AskToLeave>
    </>
  )
}

function InviteForm({
  onInvited,
  initialRole,
}: {
  onInvited: (invited: DataOf<typeof path, 'post'>) => void
  initialRole: Role
}) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>(initialRole)
  const invite = useSubmit({
    turns: secretTurns,
    send: (body: { email: string; role: Role }, headers) =>
      send('post', path, { params: { path: { merchantId } }, headers, body }),
    stale: [team_path],
    done: onInvited,
  })
  return (
    <Form of={invite} onSubmit={() => invite.submit({ email: email.trim(), role })} label={t('team.invite_submit')}>
      <EmailField
        data-autofocus
        autoComplete="off"
        value={email}
        error={invite.fieldError('email')}
        onChange={setEmail}
      />
      <RoleChoice value={role} onChange={setRole} error={invite.fieldError('role')} />
    </Form>
  )
}

function Invited({ email, link, onClose }: { email: string; link: string | null; onClose: () => void }) {
  const { t } = useTexts()
  const { is_operator } = useSession()
  const lead = link !== null ? 'team.invited_link' : mails === 'shown' ? 'team.invited_shown' : 'team.invited_mailed'
  return (
    <Stack role="status">
      <p>{t.rich(lead, { email: <bdi>{email}</bdi> })}</p>
      {link === null ? null : (
        <div className={classes.link}>
          <Copyable value={link} what={t('team.link')} />
        </div>
      )}
      <Group justify="flex-end">
        {is_operator && mails === 'shown' && link === null ? (
          <Button component={Link} to="/mails" variant="default">
            {t('mails.open')}
          </Button>
        ) : null}
        <Button onClick={onClose}>{t('team.done')}</Button>
      </Group>
    </Stack>
  )
}
