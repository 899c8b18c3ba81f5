import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'

/** The password of a person, with a button that shows it. */
export function PasswordField({
  onChange,
  ...props
}: Omit<PasswordInputProps, 'onChange'> & { onChange: (text: string) => void }) {
  const { t } = useTexts()
  return (
    <PasswordInput
      maxLength={1_000}
      visibilityToggleButtonProps={{ 'aria-label': t('sign-in.show_password') }}
      {...props}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
