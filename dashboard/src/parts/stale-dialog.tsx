import type { ReactNode } from 'react'
import { later } from '../app/later.ts'
import type { Submit } from './use-submit.ts'
import { WhenLoaded } from './when-loaded.tsx'

export interface EditedField {
  readonly name: string
  readonly label: string
  /** How a value is shown; by default as text. */
  readonly show?: (value: unknown) => ReactNode
}

type Saved = Readonly<Record<string, unknown>>

export interface StaleProps<Values extends Saved> {
  of: Pick<Submit<never>, 'failure' | 'reset'>
  mine: Values
  fields: readonly EditedField[]
  /** Gets what is saved now, with its `version`, to send the edit again on top of it. */
  onKeep: (current: Values & { readonly version: string }) => void
  /** Gets what is saved now, to show it in the form. */
  onTake: (current: Values & { readonly version: string }) => void
}

const Difference = later(() => import('./stale-difference.tsx'), 'StaleDifference', { forForms: true })

/**
 * Opens when an edit was refused because somebody else saved first (409 `stale`). Shows what differs, and lets the person
 * keep their values or take the saved ones.
 */
export function StaleDialog<Values extends Saved>(props: StaleProps<Values>) {
  if (props.of.failure?.current === undefined) return null
  return (
    <WhenLoaded onClose={props.of.reset}>
      <Difference {...(props as unknown as StaleProps<Saved>)} />
    </WhenLoaded>
  )
}
