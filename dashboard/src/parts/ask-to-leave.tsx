import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { ConfirmDialog, nothing_sent } from './confirm.tsx'

let asks = true

/** Loads the page anew whatever its forms hold: it is for somebody else now. */
export function reloadUnasked(): void {
  asks = false
  location.reload()
}

/** What would be lost now. Of several, the last one asks: so there is one question, about what is in sight. */
const unsaved = new Set<string>()

/** Above every other dialog but the sign-in: what one of them shows may be what would be lost. */
const above = 300

/**
 * Asks before a page is left whose form holds changes that are not saved. Filters of the same page ask nothing.
 * @param children what would be lost, if it is not changes of the page
 */
export function AskToLeave({ changed, children }: { changed: boolean; children?: ReactNode }) {
  const { t } = useTexts()
  const id = useId()
  useEffect(() => {
    if (!changed) return
    unsaved.add(id)
    return () => void unsaved.delete(id)
  }, [id, changed])
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && [...unsaved].at(-1) === id,
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
