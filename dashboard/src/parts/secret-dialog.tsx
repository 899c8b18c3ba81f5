import { useEffect } from 'react'
import { later } from '../app/later.ts'
import { WhenLoaded } from './when-loaded.tsx'

export interface Shown {
  readonly label: string
  readonly value: string
}

export interface SecretProps {
  title: string
  /** Undefined while there is nothing to show. */
  secrets: readonly Shown[] | undefined
  onClose: () => void
}

const load = () => import('./secret-list.tsx')
const SecretList = later(load, 'SecretList')

/** Shows secrets that are shown only once. It closes when the reader says that they are stored. */
export function SecretDialog(props: SecretProps) {
  // What is shown once must not wait for the network or a build that is gone.
  useEffect(() => void load().catch(() => undefined), [])
  if (props.secrets === undefined) return null
  return (
    <WhenLoaded>
      <SecretList {...props} />
    </WhenLoaded>
  )
}
