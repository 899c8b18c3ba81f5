import { Modal, type ModalProps } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'
import { useFocusBack } from './use-focus-back.ts'

/** A dialog over the page. Whatever closes it, the focus goes back to where it was. */
export function Dialog(props: ModalProps) {
  const { t } = useTexts()
  useFocusBack(props.opened)
  return <Modal closeButtonProps={{ 'aria-label': t('frame.close') }} returnFocus={false} {...props} />
}
