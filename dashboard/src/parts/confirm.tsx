import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { BareDialog } from './bare-dialog.tsx'
import { FormError } from './form.tsx'
import type { Submit } from './use-submit.ts'

/** For a question whose answer sends nothing. */
export const nothing_sent = { error: undefined, failure: undefined, pending: false }

/** Asks before something that cannot be undone, and says what will happen. Stays open with the reason when it is refused. */
export function ConfirmDialog({
  opened,
  onClose,
  title,
  children,
  label,
  of,
  onConfirm,
  zIndex = 200,
  danger = false,
}: {
  opened: boolean
  onClose: () => void
  title: string
  /** What will happen. */
  children?: ReactNode
  /** The text of the button: a verb. */
  label: string
  of: Pick<Submit<never>, 'error' | 'failure' | 'pending'>
  onConfirm: () => void
  /** As of any other dialog, unless it opens over one. */
  zIndex?: number
  danger?: boolean
}) {
  const { t } = useTexts()
  return (
    <BareDialog opened={opened} onClose={onClose} title={title} sending={of.pending} zIndex={zIndex}>
      <Stack>
        <FormError of={of} />
        <div>{children}</div>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={of.pending}>
            {t('common.cancel')}
          </Button>
          <Button {...(danger ? { color: 'red.9' } : {})} loading={of.pending} onClick={onConfirm}>
            {label}
          </Button>
        </Group>
      </Stack>
    </BareDialog>
  )
}
