import { Anchor, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { type DataOf, send } from '../../api/client.ts'
import { Form } from '../../parts/form.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { PasskeyButton } from './passkey.tsx'

/** What may follow a right password. */
export type Factors = DataOf<'/sign-in', 'post'>['factors']

/** Asks for the code of the authenticator app, for a recovery code, or for a passkey. */
export function SecondFactor({
  factors,
  onDone,
  onBack,
}: {
  factors: Factors
  onDone: () => void | Promise<void>
  onBack: () => void
}) {
  const { t } = useTexts()
  const [recovers, setRecovers] = useState(!factors.includes('totp'))
  const [code, setCode] = useState('')
  const factor = useSubmit({
    send: (body: { code: string }) => send('post', '/sign-in/second-factor', { body }),
    done: () => onDone(),
  })
  const change = () => {
    setRecovers(!recovers)
    setCode('')
    factor.reset()
  }
  return (
    <Stack gap="md">
      <div>
        <Title order={2}>{t('sign-in.factor_title')}</Title>
        <p>{recovers ? t('sign-in.recovery_lead') : t('sign-in.factor_lead')}</p>
      </div>
      <Form
        of={factor}
        onSubmit={() => factor.submit({ code: code.trim() })}
        label={t('sign-in.factor_submit')}
        fullWidth
      >
        <TextInput
          key={String(recovers)}
          label={recovers ? t('sign-in.recovery_code') : t('sign-in.factor_code')}
          dir="ltr"
          data-autofocus
          inputMode={recovers ? 'text' : 'numeric'}
          autoComplete={recovers ? 'off' : 'one-time-code'}
          maxLength={50}
          value={code}
          error={factor.fieldError('code')}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      </Form>
      {factors.includes('passkey') ? <PasskeyButton onDone={onDone} /> : null}
      <Group justify="space-between" gap="sm">
        {factors.includes('totp') && factors.includes('recovery_code') ? (
          <Anchor component="button" type="button" size="sm" onClick={change}>
            {recovers ? t('sign-in.factor_app') : t('sign-in.factor_recovery')}
          </Anchor>
        ) : null}
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t('sign-in.start_over')}
        </Anchor>
      </Group>
      <Text size="sm" c="dimmed">
        {t('sign-in.factor_lost')}
      </Text>
    </Stack>
  )
}
