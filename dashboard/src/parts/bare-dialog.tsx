import { Modal, type ModalProps } from '@mantine/core'
import { createContext, type Ref, useContext, useEffect, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { useFocusBack } from './use-focus-back.ts'

export const Sending = createContext<(pending: boolean) => void>(() => {})

/** Keeps the dialog around a form open while the form is sent: the answer would close whatever dialog is open by then. */
export function useSending(pending: boolean): void {
  const tell = useContext(Sending)
  useEffect(() => {
    tell(pending)
    return () => tell(false)
  }, [tell, pending])
}

export interface DialogProps extends ModalProps {
  /** Whether its action is being sent; a form in it says so itself. */
  readonly sending?: boolean
  readonly ref?: Ref<HTMLDivElement>
}

/** A dialog over the page, which closes at once. Whatever closes it, the focus goes back to where it was. */
export function BareDialog({
  sending = false,
  closeOnEscape = true,
  closeOnClickOutside = true,
  children,
  ...props
}: DialogProps) {
  const { t } = useTexts()
  const [formSends, setFormSends] = useState(false)
  useFocusBack(props.opened)
  const stays = sending || formSends
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('frame.close'), disabled: stays }}
      closeOnEscape={closeOnEscape && !stays}
      closeOnClickOutside={closeOnClickOutside && !stays}
      returnFocus={false}
      // Of two dialogs that are open, one over the other, each would have a banner of the page.
      attributes={{ header: { role: 'none' } }}
      {...props}
    >
      <Sending value={setFormSends}>{children}</Sending>
    </Modal>
  )
}
