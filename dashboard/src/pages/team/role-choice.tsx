import { Radio, Stack } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import { type Role, roles } from './team.ts'

/** One of the roles, each with what it is for. */
export function RoleChoice({
  value,
  onChange,
  error,
}: {
  value: Role
  onChange: (role: Role) => void
  error: string | undefined
}) {
  const { t } = useTexts()
  const choose = (text: string) => {
    const role = roles.find((one) => one === text)
    if (role !== undefined) onChange(role)
  }
  return (
    <Radio.Group label={t('team.role')} value={value} error={error} onChange={choose}>
      <Stack gap="sm" mt="xs">
        {roles.map((role) => (
          <Radio key={role} value={role} label={t(`frame.role_${role}`)} description={t(`team.${role}_lead`)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
