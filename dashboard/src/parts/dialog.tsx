import { useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { AskToLeave } from './ask-to-leave.tsx'
import { BareDialog, type DialogProps } from './bare-dialog.tsx'
import { ConfirmDialog, nothing_sent } from './confirm.tsx'
import { Sending } from './sending.ts'
import { useTyped } from './use-typed.ts'

/** Above the dialog that it asks about. */
const above = 300

/** A dialog that asks before it is closed, or its page is left, if something is typed in it: a slip would lose that. */
export function Dialog({ opened, onClose, sending = false, closeOnEscape = true, children, ...props }: DialogProps) {
  const { t } = useTexts()
  const typed = useTyped(opened)
  const [formSends, setFormSends] = useState(false)
  const [asks, setAsks] = useState(false)
  const stays = sending || formSends
  const isAsking = asks && opened
  // After the event: otherwise the dialog that it opens or uncovers would hear the same Escape.
  const ask = (asks: boolean) => void setTimeout(() => setAsks(asks))
  const close = () => {
    if (typed.isCovered()) return
    if (typed.isChanged()) ask(true)
    else onClose()
  }
  return (
    <>
      <BareDialog
        opened={opened}
        onClose={close}
        sending={stays}
        closeOnEscape={closeOnEscape && !isAsking}
        {...typed.watch}
        {...props}
      >
        <Sending value={setFormSends}>{children}</Sending>
      </BareDialog>
      <AskToLeave changed={opened && typed.changed && !stays}>{t('settings.close_lead')}</AskToLeave>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => ask(false)}
        title={t('settings.close_title')}
        label={t('settings.close')}
        of={nothing_sent}
        onConfirm={() => {
          setAsks(false)
          onClose()
        }}
        zIndex={above}
        danger
      >
        {t('settings.close_lead')}
      </ConfirmDialog>
    </>
  )
}
