import { useBlocker } from '@tanstack/react-router'
import { useTexts } from '../texts/texts.tsx'
import { ConfirmDialog } from './confirm.tsx'

let asks = true

/** Loads the page anew whatever its forms hold: it is for somebody else now. */
export function reloadUnasked(): void {
  asks = false
  location.reload()
}

const nothing_sent = { error: undefined, failure: undefined, pending: false }

/** Asks before a page is left whose form holds changes that are not saved. Filters of the same page ask nothing. */
export function AskToLeave({ changed }: { changed: boolean }) {
  const { t } = useTexts()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
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
      danger
    >
      {t('settings.leave_lead')}
    </ConfirmDialog>
  )
}
