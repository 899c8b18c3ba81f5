import { ActionIcon, CopyButton as Copy, Tooltip } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'
import { Icon } from './icon.tsx'

/** Copies a text, and says that it did. `what` names it for screen readers: "Copy: order number". */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const { t } = useTexts()
  return (
    <Copy value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('common.copied') : t('common.copy')} withinPortal>
          <ActionIcon
            variant="subtle"
            color={copied ? 'brand' : 'gray'}
            size="md"
            aria-label={`${copied ? t('common.copied') : t('common.copy')}: ${what}`}
            onClick={copy}
          >
            <Icon name={copied ? 'check' : 'copy'} size={18} />
          </ActionIcon>
        </Tooltip>
      )}
    </Copy>
  )
}

/** A short technical text, such as an id, with its copy button. `shown` is a shorter form of it. */
export function Copyable({ value, what, shown = value }: { value: string; what: string; shown?: string }) {
  return (
    <span className="copyable">
      <code dir="ltr" title={value}>
        {shown}
      </code>
      <CopyButton value={value} what={what} />
    </span>
  )
}
