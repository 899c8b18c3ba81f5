import { notifications } from '@mantine/notifications'
import type { Translate } from '../texts/translate.ts'
import { wholeFailureText } from './failure-text.ts'
import { Icon } from './icon.tsx'

/** Says in a corner that something is done. It goes by itself, without a button. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'brand', icon: <Icon name="check" size={18} />, withCloseButton: false })
}

/** Says in a corner what did not work, for actions without a form. */
export function notifyFailure(error: unknown, t: Translate, title = t('common.failed')): void {
  notifications.show({
    title,
    message: wholeFailureText(error, t),
    color: 'red',
    icon: <Icon name="alert" size={18} />,
    autoClose: 10_000,
    closeButtonProps: { 'aria-label': t('frame.close') },
  })
}
