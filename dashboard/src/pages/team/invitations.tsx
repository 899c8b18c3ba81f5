import { Button } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './team.module.css'
import { type Invitation, team_path } from './team.ts'

/** Who was invited and has not come yet. */
export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const { t } = useTexts()
  const { may } = useMerchant()
  return (
    <Card title={t('team.invitations')} lead={may('manage_team') ? t('team.invitations_lead') : undefined}>
      <ul className={classes.list}>
        {invitations.map((invitation) => (
          <Row key={invitation.link_uuid} invitation={invitation} />
        ))}
      </ul>
    </Card>
  )
}

function Row({ invitation }: { invitation: Invitation }) {
  const { t } = useTexts()
  const { may } = useMerchant()
  const [asks, setAsks] = useState(false)
  const { email, role, invited_by, created_at, expires_at } = invitation
  const invited = { by: <bdi>{invited_by}</bdi>, when: <Time at={created_at} style="ago" /> }
  return (
    <li className={classes.row}>
      <div>
        <div className={classes.name}>
          <bdi>{email}</bdi> · {t(`frame.role_${role}`)}
        </div>
        <div className={classes.detail}>
          {t.rich('team.invited_by', invited)} {t.rich('team.expires', { when: <Time at={expires_at} style="ago" /> })}
        </div>
      </div>
      {may('manage_team') ? (
        <Button
          variant="default"
          size="sm"
          aria-label={`${t('team.withdraw')}: ${email}`}
          onClick={() => setAsks(true)}
        >
          {t('team.withdraw')}
        </Button>
      ) : null}
      {asks ? <WithdrawDialog invitation={invitation} onClose={() => setAsks(false)} /> : null}
    </li>
  )
}

function WithdrawDialog({
  invitation: { link_uuid: linkUuid, email },
  onClose,
}: {
  invitation: Invitation
  onClose: () => void
}) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const withdraw = useSubmit({
    send: () =>
      send('delete', '/merchants/{merchantId}/team/invitations/{linkUuid}', {
        params: { path: { merchantId, linkUuid } },
      }),
    stale: [team_path],
    done() {
      onClose()
      notifyDone(t('team.withdrawn'))
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('team.withdraw_title', { email })}
      label={t('team.withdraw')}
      of={withdraw}
      onConfirm={() => withdraw.submit()}
      danger
    >
      {t('team.withdraw_lead')}
    </ConfirmDialog>
  )
}
