import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { AskToLeave } from './ask-to-leave.tsx'
import classes from './edit-form.module.css'
import { FormError } from './form.tsx'
import { leadToUnread } from './number-field.tsx'
import { SaveBar } from './save-bar.tsx'
import { StaleDialog } from './stale-dialog.tsx'
import type { EditedField } from './stale-difference.tsx'
import type { Draft, Edit, Versioned } from './use-draft.ts'
import type { Submit } from './use-submit.ts'

/**
 * A form of settings: read-only for those who may not change them, with a bar to save once something is changed. It asks what to do
 * where somebody else saved first.
 */
export function EditForm<Saved extends Versioned, Values extends object>({
  of,
  draft,
  changed = draft.changed,
  may_change,
  fields,
  children,
}: {
  of: Pick<Submit<Edit<Values>>, 'submit' | 'error' | 'failure' | 'pending' | 'reset'>
  draft: Draft<Saved, Values>
  /** Whether there is something to save. */
  changed?: boolean
  may_change: boolean
  /** What is compared with what somebody else has saved. */
  fields: readonly EditedField[]
  children: ReactNode
}) {
  const { t } = useTexts()
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!leadToUnread(event.currentTarget)) of.submit(draft.edit)
        }}
      >
        {may_change ? null : <p className={classes.reader}>{t('common.reader')}</p>}
        <fieldset className={classes.fields} disabled={!may_change}>
          <Stack gap="lg">
            {of.failure?.current === undefined ? <FormError of={of} /> : null}
            {children}
            <SaveBar changed={changed} pending={of.pending} onDiscard={() => draft.take(draft.saved)} />
          </Stack>
        </fieldset>
        <AskToLeave changed={changed} />
      </form>
      <StaleDialog
        of={of}
        mine={draft.values}
        fields={fields}
        onKeep={({ version }) => of.submit({ version, values: draft.values })}
        onTake={(current) => draft.take({ ...draft.saved, ...current })}
      />
    </>
  )
}
