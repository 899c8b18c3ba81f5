import { Anchor, Divider, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { EmailField } from '../../parts/email-field.tsx'
import { Form } from '../../parts/form.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { PasskeyButton } from './passkey.tsx'
import { type Factors, SecondFactor } from './second-factor.tsx'

/** Signs somebody in: password or passkey, then the second factor where the account asks for one. */
export function SignInSteps({
  email: known = '',
  onDone,
}: {
  email?: string | undefined
  onDone: () => void | Promise<void>
}) {
  const { t } = useTexts()
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [factors, setFactors] = useState<Factors | null>(null)
  const signIn = useSubmit({
    send: (body: { email: string; password: string }) => send('post', '/sign-in', { body }),
    done: ({ state, factors }) => (state === 'signed_in' ? onDone() : setFactors(factors)),
  })
  if (factors !== null) return <SecondFactor factors={factors} onDone={onDone} onBack={() => setFactors(null)} />
  return (
    <Stack gap="lg">
      <Form of={signIn} onSubmit={() => signIn.submit({ email, password })} label={t('sign-in.submit')} fullWidth>
        <EmailField
          autoComplete="username webauthn"
          value={email}
          error={signIn.fieldError('email')}
          onChange={setEmail}
        />
        <PasswordField
          label={t('sign-in.password')}
          autoComplete="current-password"
          value={password}
          error={signIn.fieldError('password')}
          onChange={setPassword}
        />
      </Form>
      <Divider label={t('sign-in.or')} />
      <PasskeyButton onDone={onDone} />
      <Anchor component={Link} to="/forgot" ta="center" size="sm">
        {t('sign-in.forgot')}
      </Anchor>
    </Stack>
  )
}
