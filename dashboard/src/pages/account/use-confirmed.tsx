import { Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { type Submit, useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

/** What confirms a change of how the account is opened: nothing soon after the sign-in, later the password. */
export interface Confirmation {
  readonly password?: string
}

/**
 * An action that the service may want to be confirmed by the password. The first try goes without; a refusal (403) opens
 * the dialog, which has to be rendered.
 */
export function useConfirmed<Result>(options: {
  send: (confirmation: Confirmation) => Promise<Result>
  done: (result: Result) => unknown
  stale?: readonly string[]
  turns?: string
}): Submit<Confirmation> & { readonly dialog: ReactNode } {
  const { t } = useTexts()
  const [password, setPassword] = useState('')
  const action = useSubmit({
    ...options,
    done(result) {
      setPassword('')
      return options.done(result)
    },
  })
  const asks = action.failure?.status === 403 || (action.pending && password !== '')
  const dialog = (
    <Dialog opened={asks} onClose={action.reset} title={t('account.confirm_title')}>
      <Stack>
        <p>{t('account.confirm_lead')}</p>
        <Form
          of={password === '' ? { ...action, error: undefined, failure: undefined } : action}
          onSubmit={() => action.submit({ password })}
          label={t('account.confirm')}
        >
          <PasswordField
            label={t('account.password')}
            autoComplete="current-password"
            data-autofocus
            value={password}
            onChange={setPassword}
          />
        </Form>
      </Stack>
    </Dialog>
  )
  return { ...action, error: asks ? undefined : action.error, dialog }
}
