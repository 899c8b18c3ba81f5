import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { ask } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { Members } from './members.tsx'
import { Roles } from './roles.tsx'

/** The people of a merchant, who is invited, and what their roles allow. */
export function Page() {
  const { t } = useTexts()
  const { merchantId, may } = useMerchant()
  const { data: team } = useQuery(ask('/merchants/{merchantId}/team', { params: { path: { merchantId } } }))
  const [invites, dialog] = useDisclosure()
  const manages = may('manage_team')
  const action = manages ? (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={dialog.open}>
      {t('team.invite')}
    </Button>
  ) : undefined
  return (
    <Stack gap="lg">
      <PageHeader title={t('team.name')} lead={t(manages ? 'team.lead' : 'team.lead_reader')} actions={action} />
      <Members members={team?.members} />
      {team === undefined || team.invitations.length === 0 ? null : <Invitations invitations={team.invitations} />}
      <Roles roles={team?.roles} />
      {manages ? <InviteDialog opened={invites} onClose={dialog.close} /> : null}
    </Stack>
  )
}
