import { TextInput, type TextInputProps } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'

/** The e-mail address of a person who signs in. */
export function EmailField({
  onChange,
  ...props
}: Omit<TextInputProps, 'onChange'> & { onChange: (text: string) => void }) {
  const { t } = useTexts()
  return (
    <TextInput
      label={t('sign-in.email')}
      type="email"
      dir="ltr"
      maxLength={254}
      {...props}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
