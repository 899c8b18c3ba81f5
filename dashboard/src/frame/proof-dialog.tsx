import { Divider, Stack } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api/client.ts'
import { refreshSession } from '../api/session.ts'
import type { Asked } from '../app/proof.ts'
import { PasskeyButton } from '../pages/sign-in/passkey.tsx'
import { BareDialog } from '../parts/bare-dialog.tsx'
import { Form } from '../parts/form.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { Sending } from '../parts/sending.ts'
import { useSubmit } from '../parts/use-submit.ts'
import { useTexts } from '../texts/texts.tsx'

/** Over the dialog whose act waits, below the one for a lost session. */
const above = 350

/** Lets the reader prove who they are, by what their account has. */
export function ProofDialog({ asked: { by, end } }: { asked: Asked }) {
  const { t } = useTexts()
  const [sends, setSends] = useState(false)
  const [has_password, has_passkey] = [by.includes('password'), by.includes('passkey')]
  // The session has a new token, which the act that waits has to carry.
  const proven = () => refreshSession().then(() => end(true))
  return (
    <BareDialog opened onClose={() => end(false)} sending={sends} title={t('account.confirm_title')} zIndex={above}>
      <Stack>
        <p>{t('account.confirm_lead')}</p>
        {has_password ? (
          <Sending value={setSends}>
            <ByPassword onDone={proven} />
          </Sending>
        ) : null}
        {has_password && has_passkey ? <Divider label={t('sign-in.or')} /> : null}
        {has_passkey ? (
          <PasskeyButton
            label={t('account.confirm_passkey')}
            sendAnswer={(body) => send('post', '/session/confirm/passkey', { body })}
            onDone={proven}
          />
        ) : null}
      </Stack>
    </BareDialog>
  )
}

function ByPassword({ onDone }: { onDone: () => Promise<void> }) {
  const { t } = useTexts()
  const [password, setPassword] = useState('')
  const confirm = useSubmit({
    send: (password: string) => send('post', '/session/confirm', { body: { password } }),
    done: onDone,
  })
  return (
    <Form of={confirm} onSubmit={() => confirm.submit(password)} label={t('account.confirm')}>
      <PasswordField
        label={t('account.password')}
        autoComplete="current-password"
        data-autofocus
        value={password}
        onChange={setPassword}
      />
    </Form>
  )
}
