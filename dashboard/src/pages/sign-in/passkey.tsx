import { Button, Stack } from '@mantine/core'
import { send } from '../../api/client.ts'
import { FormError } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { loadPasskeys } from '../../parts/load-passkeys.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

/** Signs in with a key of the device, or does what `sendAnswer` does with its answer, where the browser knows such keys. */
export function PasskeyButton({
  label,
  sendAnswer = signIn,
  onDone,
}: {
  label?: string
  sendAnswer?: (answer: never) => Promise<unknown>
  onDone: () => void | Promise<void>
}) {
  const { t } = useTexts()
  const passkey = useSubmit({ send: () => askDevice().then(sendAnswer), done: () => onDone() })
  if (!('PublicKeyCredential' in window)) return null
  // A person who closes the browser's dialog, or has no key, is told so in our words.
  const error =
    passkey.error !== undefined && passkey.failure === undefined ? t('sign-in.passkey_failed') : passkey.error
  return (
    <Stack gap="sm">
      <FormError of={{ error, failure: passkey.failure }} />
      <Button
        variant="default"
        leftSection={<Icon name="key" />}
        loading={passkey.pending}
        onClick={() => passkey.submit()}
      >
        {label ?? t('sign-in.passkey')}
      </Button>
    </Stack>
  )
}

const signIn = (body: never) => send('post', '/sign-in/passkey', { body })

async function askDevice(): Promise<never> {
  const [options, { startAuthentication }] = await Promise.all([
    send('post', '/sign-in/passkey/options'),
    loadPasskeys(),
  ])
  // The description of the API leaves out what only the library reads.
  return (await startAuthentication({ optionsJSON: options as never })) as never
}
