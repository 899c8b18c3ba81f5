import { Anchor, Stack, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { encode } from 'uqr'
import { type DataOf, send } from '../../api/client.ts'
import { refreshSession } from '../../api/session.ts'
import { AskToLeave } from '../../parts/ask-to-leave.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { secretTurns } from '../../parts/use-awaits-secret.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './account.module.css'

/** Shows the secret for an authenticator app, and asks for its first code. Until then an app that has it is of no use. */
export function TotpSetup({
  setup,
  onClose,
  onCodes,
}: {
  setup: DataOf<'/account/totp/begin', 'post'> | null
  onClose: () => void
  onCodes: (codes: readonly string[]) => void
}) {
  const { t } = useTexts()
  const [code, setCode] = useState('')
  const confirm = useSubmit({
    send: (body: { code: string }) => send('post', '/account/totp/confirm', { body }),
    stale: ['/account', '/sessions'],
    turns: secretTurns,
    async done({ recovery_codes }) {
      setCode('')
      onClose()
      onCodes(recovery_codes)
      await refreshSession()
    },
  })
  return (
    <>
      <Dialog
        opened={setup !== null}
        onClose={onClose}
        closeOnClickOutside={false}
        closeOnEscape={false}
        title={t('account.totp_title')}
      >
        {setup === null ? null : (
          <Stack>
            <p>{t('account.totp_step_1')}</p>
            <QrCode text={setup.uri} />
            <Copyable value={setup.secret} what={t('account.totp_key')} />
            <Anchor href={setup.uri} size="sm">
              {t('account.totp_open')}
            </Anchor>
            <p>{t('account.totp_step_2')}</p>
            <Form of={confirm} onSubmit={() => confirm.submit({ code: code.trim() })} label={t('account.totp_confirm')}>
              <TextInput
                label={t('account.totp_code')}
                dir="ltr"
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={20}
                value={code}
                error={confirm.fieldError('code')}
                onChange={(event) => setCode(event.currentTarget.value)}
              />
            </Form>
          </Stack>
        )}
      </Dialog>
      <AskToLeave changed={setup !== null} />
    </>
  )
}

/** The key stands beside it as text, so screen readers skip the drawing. */
function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => draw(text), [text])
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

function draw(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { border: 3 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { size, path: squares.join('') }
}
