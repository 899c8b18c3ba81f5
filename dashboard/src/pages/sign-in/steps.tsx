import { Anchor, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type DataOf, send } from '../../api/client.ts'
import { Form } from '../../parts/form.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { PasskeyButton } from './passkey.tsx'
import { SecondFactor } from './second-factor.tsx'

/** What may follow a right password. */
export type Factors = DataOf<'/sign-in', 'post'>['factors']

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
        <TextInput
          label={t('sign-in.email')}
          type="email"
          dir="ltr"
          autoComplete="username webauthn"
          maxLength={254}
          value={email}
          error={signIn.fieldError('email')}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('sign-in.password')}
          autoComplete="current-password"
          maxLength={1_000}
          value={password}
          error={signIn.fieldError('password')}
          visibilityToggleButtonProps={{ 'aria-label': t('sign-in.show_password') }}
          onChange={(event) => setPassword(event.currentTarget.value)}
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
