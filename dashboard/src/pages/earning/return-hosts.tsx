import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'

/** The hosts that a checkout may lead back to. */
export function ReturnHosts(props: Pick<TagsInputProps, 'value' | 'error' | 'onChange'>) {
  const { t } = useTexts()
  return (
    <TagsInput
      size="md"
      label={t('settings.return_hosts')}
      description={t('settings.return_hosts_hint')}
      placeholder="shop.example"
      dir="ltr"
      maxLength={300}
      maxTags={50}
      splitChars={[',', ' ']}
      {...props}
    />
  )
}
