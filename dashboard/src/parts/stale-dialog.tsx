import { later } from '../app/later.ts'
import type { StaleProps } from './stale-difference.tsx'
import { WhenLoaded } from './when-loaded.tsx'

const Difference = later(() => import('./stale-difference.tsx'), 'StaleDifference', { forForms: true })

/**
 * Opens when an edit was refused because somebody else saved first (409 `stale`). Shows what differs, and lets the person
 * keep their values or take the saved ones.
 */
export function StaleDialog(props: StaleProps) {
  if (props.of.failure?.current === undefined) return null
  return (
    <WhenLoaded onClose={props.of.reset}>
      <Difference {...props} />
    </WhenLoaded>
  )
}
