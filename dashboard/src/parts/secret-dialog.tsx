import { Suspense } from 'react'
import { later } from '../app/later.ts'

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

const SecretList = later(() => import('./secret-list.tsx'), 'SecretList')

/** Shows secrets that are shown only once. It closes when the reader says that they are stored. */
export function SecretDialog(props: SecretProps) {
  if (props.secrets === undefined) return null
  return (
    <Suspense>
      <SecretList {...props} />
    </Suspense>
  )
}
