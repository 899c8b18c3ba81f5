import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Locale } from '../../../../src/domain/locale.ts'
import { type DataOf, send } from '../../api/client.ts'
import { Form } from '../../parts/form.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

/** Uses a link, with the name and the password that it needs. */
export function AcceptForm({
  token,
  facts,
  onDone,
}: {
  token: string
  facts: DataOf<'/links/open', 'post'>
  onDone: (answer: DataOf<'/links/accept', 'post'>) => unknown
}) {
  const { t, locale } = useTexts()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const needsName = facts.needs === 'account'
  const needsPassword = needsName || facts.needs === 'password'
  const accept = useSubmit({
    send: (body: { token: string; name?: string; password?: string; locale?: Locale }) =>
      send('post', '/links/accept', { body }),
    done: onDone,
  })
  const label =
    facts.purpose === 'invitation'
      ? t('sign-in.link_accept')
      : t(facts.needs === 'nothing' ? 'sign-in.enter' : 'sign-in.accept')
  const submit = () =>
    accept.submit({ token, ...(needsName ? { name, locale } : {}), ...(needsPassword ? { password } : {}) })
  return (
    <Form of={accept} onSubmit={submit} label={label} fullWidth>
      {/* Lets password managers store the password with its address. */}
      <input type="hidden" autoComplete="username" value={facts.email} readOnly />
      {needsName ? (
        <TextInput
          label={t('sign-in.name')}
          description={t('sign-in.name_hint')}
          autoComplete="name"
          maxLength={100}
          value={name}
          error={accept.fieldError('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      ) : null}
      {needsPassword ? (
        <PasswordField
          label={t('sign-in.new_password')}
          description={t('sign-in.password_hint')}
          autoComplete="new-password"
          value={password}
          error={accept.fieldError('password')}
          onChange={setPassword}
        />
      ) : null}
    </Form>
  )
}
