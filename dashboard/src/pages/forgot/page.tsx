import { Anchor, Button, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { mails } from '../../app/page-facts.ts'
import { EmailField } from '../../parts/email-field.tsx'
import { Form } from '../../parts/form.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Door } from '../sign-in/door.tsx'

/** Sends a link for a new password, and says the same whether the address is known or not. */
export function Page() {
  const { t } = useTexts()
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string>()
  const forgot = useSubmit({
    send: (body: { email: string }) => send('post', '/password/forgot', { body }),
    done: (_answer, body) => setSentTo(body.email),
  })
  const back = (
    <Anchor component={Link} to="/sign-in" size="sm" ta="center">
      {t('sign-in.back')}
    </Anchor>
  )
  if (mails === 'none')
    return (
      <Door title={t('sign-in.forgot_none_title')} lead={t('sign-in.forgot_none')}>
        <Stack>{back}</Stack>
      </Door>
    )
  if (sentTo !== undefined)
    return (
      <Door
        title={t(mails === 'shown' ? 'frame.mails' : 'sign-in.forgot_sent')}
        lead={t.rich(mails === 'shown' ? 'sign-in.forgot_shown' : 'sign-in.forgot_sent_lead', {
          email: <bdi>{sentTo}</bdi>,
        })}
      >
        <Stack>
          {mails === 'shown' ? (
            <Button component={Link} to="/mails" variant="default">
              {t('sign-in.mails')}
            </Button>
          ) : null}
          {back}
        </Stack>
      </Door>
    )
  return (
    <Door title={t('sign-in.forgot_title')} lead={t('sign-in.forgot_lead')}>
      <Stack gap="lg">
        <Form of={forgot} onSubmit={() => forgot.submit({ email })} label={t('sign-in.forgot_submit')} fullWidth>
          <EmailField autoComplete="email" value={email} error={forgot.fieldError('email')} onChange={setEmail} />
        </Form>
        {back}
      </Stack>
    </Door>
  )
}
