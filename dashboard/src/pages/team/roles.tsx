import { Skeleton, Table } from '@mantine/core'
import type { Permission } from '../../../../src/domain/staff.ts'
import { Card } from '../../parts/card.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './team.module.css'
import type { RoleRow } from './team.ts'

/** What each role may do, a permission a row. */
export function Roles({ roles }: { roles: readonly RoleRow[] | undefined }) {
  const { t } = useTexts()
  return (
    <Card title={t('team.roles')} lead={t('team.roles_lead')}>
      {roles === undefined ? <Skeleton height={240} /> : <RoleTable roles={roles} />}
    </Card>
  )
}

function RoleTable({ roles }: { roles: readonly RoleRow[] }) {
  const { t } = useTexts()
  const permissions = [...new Set(roles.flatMap((role) => role.permissions))]
  return (
    // The focus lets the keyboard scroll.
    <Table.ScrollContainer
      minWidth={310}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      className={classes.roles}
    >
      <Table aria-label={t('team.roles')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('team.may')}</Table.Th>
            {roles.map(({ role }) => (
              <Table.Th key={role} scope="col">
                {t(`frame.role_${role}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {permissions.map((permission) => (
            <Table.Tr key={permission}>
              <Table.Th scope="row">{t(`team.may_${permission}`)}</Table.Th>
              {roles.map((role) => (
                <Table.Td key={role.role}>
                  <Allowed role={role} permission={permission} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Allowed({ role, permission }: { role: RoleRow; permission: Permission }) {
  const { t } = useTexts()
  if (!role.permissions.includes(permission)) return <span className="missing">{t('common.no')}</span>
  if (permission === 'adjust_wallets' && role.adjustment_limit !== null)
    return <>{t('team.up_to', { count: role.adjustment_limit })}</>
  return (
    <span className={classes.yes}>
      <Icon name="check" size={18} />
      <span>{t('common.yes')}</span>
    </span>
  )
}
