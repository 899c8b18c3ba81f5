import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMerchant, useSession } from '../../app/merchant.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Badge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'
import classes from './team.module.css'
import { type Member, one_page, team_path } from './team.ts'

/** Everybody in the team, with what an owner can do about them. */
export function Members({ members }: { members: readonly Member[] | undefined }) {
  const { t } = useTexts()
  const { may } = useMerchant()
  const [changes, setChanges] = useState<Member>()
  const [removes, setRemoves] = useState<Member>()
  const columns = useColumns()
  const client = useQueryClient()
  const close = () => {
    setChanges(undefined)
    setRemoves(undefined)
    // What was refused may have met a change of somebody else.
    void client.invalidateQueries({ queryKey: [team_path] })
  }
  const actions: Column<Member> = {
    ...{ name: 'actions', header: t('team.actions'), numeric: true },
    cell: (member) => <Actions member={member} onChange={setChanges} onRemove={setRemoves} />,
  }
  const data = members === undefined ? undefined : { rows: members, next: null }
  return (
    <div>
      <DataTable
        label={t('team.members')}
        query={{ data, isPlaceholderData: false }}
        columns={may('manage_team') ? [...columns, actions] : columns}
        rowKey={({ staff_uuid }) => staff_uuid}
        paging={one_page}
        empty={<EmptyState icon="team" title={t('team.empty')} lesson={t('team.empty_lesson')} />}
      />
      {changes === undefined ? null : <RoleDialog key={changes.staff_uuid} member={changes} onClose={close} />}
      {removes === undefined ? null : <RemoveDialog member={removes} onClose={close} />}
    </div>
  )
}

function useColumns(): Column<Member>[] {
  const { t } = useTexts()
  return [
    { name: 'person', header: t('team.person'), title: true, cell: (member) => <Person member={member} /> },
    { name: 'role', header: t('team.role'), cell: ({ role }) => t(`frame.role_${role}`) },
    {
      ...{ name: 'factor', header: t('team.second_factor') },
      cell: ({ second_factor }) => (
        <Badge tone={second_factor ? 'good' : 'warn'}>{t(second_factor ? 'team.factor_on' : 'team.factor_off')}</Badge>
      ),
    },
    {
      ...{ name: 'seen', header: t('team.last_seen') },
      cell: ({ last_seen_at }) =>
        last_seen_at === null ? (
          <span className="missing">{t('team.never_seen')}</span>
        ) : (
          <Time at={last_seen_at} style="ago" />
        ),
    },
  ]
}

function Person({ member: { staff_uuid, name, email, disabled } }: { member: Member }) {
  const { t } = useTexts()
  const session = useSession()
  return (
    <span className={classes.person}>
      <span className={classes.line}>
        <bdi>{name}</bdi>
        {staff_uuid === session.staff_uuid ? <Badge tone="note">{t('team.you')}</Badge> : null}
        {disabled ? <Badge tone="bad">{t('team.disabled')}</Badge> : null}
      </span>
      {name === email ? null : (
        <span className={classes.mail}>
          <bdi>{email}</bdi>
        </span>
      )}
    </span>
  )
}

function Actions({
  member,
  onChange,
  onRemove,
}: {
  member: Member
  onChange: (member: Member) => void
  onRemove: (member: Member) => void
}) {
  const { t } = useTexts()
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        variant="default"
        size="compact-md"
        aria-label={`${t('team.change_role')}: ${member.name}`}
        onClick={() => onChange(member)}
      >
        {t('team.change_role')}
      </Button>
      <Button
        variant="subtle"
        color="red"
        size="compact-md"
        aria-label={`${t('team.remove')}: ${member.name}`}
        onClick={() => onRemove(member)}
      >
        {t('team.remove')}
      </Button>
    </Group>
  )
}
