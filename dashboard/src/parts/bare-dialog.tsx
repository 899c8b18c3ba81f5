import { Modal, type ModalProps } from '@mantine/core'
import type { Ref } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { useFocusBack } from './use-focus-back.ts'

export interface DialogProps extends ModalProps {
  /** Whether its action is being sent: it stays open until the answer. */
  readonly sending?: boolean
  readonly ref?: Ref<HTMLDivElement>
}

/** A dialog over the page, which closes at once. Whatever closes it, the focus goes back to where it was. */
export function BareDialog({
  sending = false,
  closeOnEscape = true,
  closeOnClickOutside = true,
  ...props
}: DialogProps) {
  const { t } = useTexts()
  useFocusBack(props.opened)
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('frame.close'), disabled: sending }}
      closeOnEscape={closeOnEscape && !sending}
      closeOnClickOutside={closeOnClickOutside && !sending}
      returnFocus={false}
      // Of two dialogs that are open, one over the other, each would have a banner of the page.
      attributes={{ header: { role: 'none' } }}
      {...props}
    />
  )
}
