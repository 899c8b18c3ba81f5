import { TextInput } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'

/** Why an order is changed. */
export function ReasonField({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) {
  const { t } = useTexts()
  return (
    <TextInput
      w="100%"
      label={t('order.reason')}
      description={t('order.reason_hint')}
      maxLength={500}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
