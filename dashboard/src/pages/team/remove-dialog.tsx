import { useNavigate } from '@tanstack/react-router'
import { send } from '../../api/client.ts'
import { refreshSession } from '../../api/session.ts'
import { useMerchant, useSession } from '../../app/merchant.ts'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { type Member, team_path } from './team.ts'

/** Takes somebody out of the team. People who leave it themselves go on to their other merchants. */
export function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const session = useSession()
  const navigate = useNavigate()
  const { staff_uuid: staffUuid, name } = member
  const leaves = staffUuid === session.staff_uuid
  const remove = useSubmit({
    send: () =>
      send('delete', '/merchants/{merchantId}/team/{staffUuid}', { params: { path: { merchantId, staffUuid } } }),
    stale: leaves ? [] : [team_path],
    async done() {
      onClose()
      notifyDone(t(leaves ? 'team.left' : 'team.removed', { name }))
      if (!leaves) return
      await refreshSession()
      await navigate({ to: '/', replace: true })
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={leaves ? t('team.leave_title') : t('team.remove_title', { name })}
      label={t(leaves ? 'team.leave' : 'team.remove')}
      of={remove}
      onConfirm={() => remove.submit()}
      danger
    >
      {t(leaves ? 'team.leave_lead' : 'team.remove_lead')}
    </ConfirmDialog>
  )
}
