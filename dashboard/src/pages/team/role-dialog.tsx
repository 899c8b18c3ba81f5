import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { refreshSession } from '../../api/session.ts'
import { useMerchant, useSession } from '../../app/merchant.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { RoleChoice } from './role-choice.tsx'
import { type Member, type Role, team_path } from './team.ts'

/** Gives a member another role. */
export function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const session = useSession()
  const client = useQueryClient()
  const [role, setRole] = useState(member.role)
  const { staff_uuid: staffUuid, name } = member
  const change = useSubmit({
    send: (body: { role: Role }) =>
      send('patch', '/merchants/{merchantId}/team/{staffUuid}', { params: { path: { merchantId, staffUuid } }, body }),
    stale: [team_path],
    async done() {
      onClose()
      notifyDone(t('team.role_changed'))
      if (staffUuid !== session.staff_uuid) return
      // The reader's own role has changed, and with it the pages that they may open.
      await Promise.all([refreshSession(), client.invalidateQueries({ queryKey: ['/merchants/{merchantId}'] })])
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t('team.change_title', { name })}>
      <Form
        of={change}
        onSubmit={() => change.submit({ role })}
        label={t('common.save')}
        disabled={role === member.role}
      >
        <Stack gap="sm">
          <p>{t('team.change_lead')}</p>
          <RoleChoice value={role} onChange={setRole} error={change.fieldError('role')} />
        </Stack>
      </Form>
    </Dialog>
  )
}
