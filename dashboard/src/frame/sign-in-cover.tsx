import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { refreshSession, sessionOptions } from '../api/session.ts'
import { findSession } from '../app/lost-session.ts'
import { SignInSteps } from '../pages/sign-in/steps.tsx'
import { BareDialog } from '../parts/bare-dialog.tsx'
import { useTexts } from '../texts/texts.tsx'

/** Covers the page with the sign-in form. The page below keeps what was typed. */
export function SignInCover() {
  const { t } = useTexts()
  const client = useQueryClient()
  const before = client.getQueryData(sessionOptions.queryKey)
  const signedIn = async () => {
    await refreshSession()
    findSession()
    await client.invalidateQueries()
  }
  return (
    <BareDialog
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('frame.signed_out_title')}
      zIndex={400}
    >
      <Stack>
        <p>{t('frame.signed_out_lead')}</p>
        <SignInSteps email={before?.email} onDone={signedIn} />
      </Stack>
    </BareDialog>
  )
}
