import { PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { refreshSession } from '../../api/session.ts'
import { Card } from '../../parts/card.tsx'
import { Form } from '../../parts/form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

interface NewPassword {
  readonly current_password?: string
  readonly password: string
}

export function Password() {
  const { t } = useTexts()
  const { data: account } = useQuery(ask('/account'))
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useSubmit({
    send: (body: NewPassword) => send('post', '/account/password', { body }),
    stale: ['/account', '/sessions'],
    async done() {
      setCurrent('')
      setPassword('')
      notifyDone(t('account.password_changed'))
      await refreshSession()
    },
  })
  const has_password = account?.has_password ?? true
  const toggle = { 'aria-label': t('sign-in.show_password') }
  return (
    <Card title={t('account.password')} lead={t('account.password_lead')}>
      <Form
        of={change}
        onSubmit={() => change.submit({ password, ...(has_password ? { current_password: current } : {}) })}
        label={t('account.change_password')}
      >
        {has_password ? (
          <PasswordInput
            label={t('account.current_password')}
            autoComplete="current-password"
            maxLength={1_000}
            value={current}
            error={change.fieldError('current_password')}
            visibilityToggleButtonProps={toggle}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
        ) : null}
        <PasswordInput
          label={t('account.new_password')}
          description={t('sign-in.password_hint')}
          autoComplete="new-password"
          maxLength={1_000}
          value={password}
          error={change.fieldError('password')}
          visibilityToggleButtonProps={toggle}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </Form>
    </Card>
  )
}
