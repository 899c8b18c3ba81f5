import { useEffect, useState } from 'react'
import { later } from '../app/later.ts'
import { useTexts } from '../texts/texts.tsx'
import { AskToLeave } from './ask-to-leave.tsx'
import type { Shown } from './secret-list.tsx'
import { useAwaitsSecret } from './use-awaits-secret.ts'
import { WhenLoaded } from './when-loaded.tsx'

interface Props {
  title: string
  /** Undefined while there is nothing to show. */
  secrets: readonly Shown[] | undefined
  onClose: () => void
}

const load = () => import('./secret-list.tsx')
const SecretList = later(load, 'SecretList')

/** Shows secrets that are shown only once. Until the reader says that they are stored, it stays. From the press on, leaving asks. */
export function SecretDialog({ title, secrets, onClose }: Props) {
  const { t } = useTexts()
  const [stored, setStored] = useState(false)
  const awaited = useAwaitsSecret()
  const isShown = secrets !== undefined
  if (stored && !isShown) setStored(false)
  // What is shown once must not wait for the network or a build that is gone.
  useEffect(() => void load().catch(() => undefined), [])
  return (
    <>
      {isShown ? (
        <WhenLoaded>
          <SecretList title={title} secrets={secrets} onClose={onClose} stored={stored} setStored={setStored} />
        </WhenLoaded>
      ) : null}
      <AskToLeave changed={isShown ? !stored : awaited}>{t('settings.shown_once')}</AskToLeave>
    </>
  )
}
