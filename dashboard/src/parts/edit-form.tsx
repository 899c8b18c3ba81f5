import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { AskToLeave } from './ask-to-leave.tsx'
import classes from './edit-form.module.css'
import { FormError } from './form.tsx'
import { leadToUnread } from './number-field.tsx'
import { SaveBar } from './save-bar.tsx'
import type { Submit } from './use-submit.ts'

/** A form of settings: read-only for those who may not change them, with a bar to save once something is changed. */
export function EditForm({
  of,
  may_change,
  changed,
  onSave,
  onDiscard,
  children,
}: {
  of: Pick<Submit<never>, 'error' | 'failure' | 'pending'>
  may_change: boolean
  changed: boolean
  onSave: () => void
  onDiscard: () => void
  children: ReactNode
}) {
  const { t } = useTexts()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!leadToUnread(event.currentTarget)) onSave()
      }}
    >
      {may_change ? null : <p className={classes.reader}>{t('common.reader')}</p>}
      <fieldset className={classes.fields} disabled={!may_change}>
        <Stack gap="lg">
          {of.failure?.current === undefined ? <FormError of={of} /> : null}
          {children}
          <SaveBar changed={changed} pending={of.pending} onDiscard={onDiscard} />
        </Stack>
      </fieldset>
      <AskToLeave changed={changed} />
    </form>
  )
}
