import { createHash } from 'node:crypto'
import Type from 'typebox'
import { DomainError } from '../../domain/failures.ts'
import { text } from '../api/fields.ts'

/** The version that a page of settings was loaded with, so that nobody overwrites another person's change unseen. */

/** The field `version` of a change: as the answer before gave it. */
export const sentVersion = () =>
  text({ max: 100, description: '`version` of the answer that the form was filled from.' })

/** The field `version` of an answer. */
export const versionField = Type.String({
  description: 'Send it back with a change: 409 `stale` when it is not current.',
})

/** Adds the version of settings: it changes with any of them, or with those alone that the form overwrites. */
export function withVersion<View extends object>(view: View, form: object = view): View & { readonly version: string } {
  const version = createHash('sha256').update(JSON.stringify(form)).digest('hex').slice(0, 16)
  return { ...view, version }
}

/**
 * Compares what a form was filled from with the settings as they are, under the lock of the change.
 * @throws DomainError `stale` with the current settings
 */
export function checkVersion(sent: string, view: object, form: object = view): void {
  const current = withVersion(view, form)
  if (current.version !== sent) throw new DomainError({ kind: 'stale', current })
}
