import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useUnsaved } from '../app/unsaved.ts'
import { useTexts } from '../texts/texts.tsx'
import { ConfirmDialog, nothing_sent } from './confirm.tsx'

let asks = true

/** Loads the page anew whatever its forms hold: it is for somebody else now. */
export function reloadUnasked(): void {
  asks = false
  location.reload()
}

/** Above every other dialog but the sign-in: what one of them shows may be what would be lost. */
const above = 300

/**
 * Asks before a page is left whose form holds changes that are not saved. Filters of the same page ask nothing.
 * @param children what would be lost, if it is not changes of the page
 */
export function AskToLeave({ changed, children }: { changed: boolean; children?: ReactNode }) {
  const { t } = useTexts()
  const isLast = useUnsaved(changed)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isLast(),
    enableBeforeUnload: () => asks,
    disabled: !changed,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={t('settings.leave_title')}
      label={t('settings.leave')}
      of={nothing_sent}
      onConfirm={() => proceed?.()}
      zIndex={above}
      danger
    >
      {children ?? t('settings.leave_lead')}
    </ConfirmDialog>
  )
}
