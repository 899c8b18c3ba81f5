import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { refreshSession } from '../../api/session.ts'
import { AskToLeave } from '../../parts/ask-to-leave.tsx'
import { Card } from '../../parts/card.tsx'
import { Form } from '../../parts/form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
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
  return (
    <Card title={t('account.password')} lead={t('account.password_lead')}>
      <Form
        of={change}
        onSubmit={() => change.submit({ password, ...(has_password ? { current_password: current } : {}) })}
        label={t('account.change_password')}
      >
        {has_password ? (
          <PasswordField
            label={t('account.current_password')}
            autoComplete="current-password"
            value={current}
            error={change.fieldError('current_password')}
            onChange={setCurrent}
          />
        ) : null}
        <PasswordField
          label={t('account.new_password')}
          description={t('sign-in.password_hint')}
          autoComplete="new-password"
          value={password}
          error={change.fieldError('password')}
          onChange={setPassword}
        />
      </Form>
      {/* Browsers fill in the current one by themselves. */}
      <AskToLeave changed={password !== ''} />
    </Card>
  )
}
