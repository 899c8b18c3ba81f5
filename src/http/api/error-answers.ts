import type { Failure, FailureKind } from '../../domain/failures.ts'
import { type ErrorRow, errorTable, type FailureOf } from './errors.ts'
import type { Locale } from './locale.ts'

/** The one place where the kind of a failure and its row are known to belong together. */
function rowOf<K extends FailureKind>(failure: FailureOf<K> & { readonly kind: K }): ErrorRow<FailureOf<K>> {
  return errorTable[failure.kind]
}

/** The HTTP status of a failure. */
export function statusOf(kind: FailureKind): number {
  return errorTable[kind].status
}

/** The sentence of a failure, in the request's locale. */
export function messageOf(failure: Failure, locale: Locale): string {
  return errorTable[failure.kind].text[locale]
}

/** The headers that belong to a failure: `Allow`, `Retry-After`. Names are in lower case. */
export function headersOf(failure: Failure): Readonly<Record<string, string>> {
  return rowOf(failure).headers?.(failure) ?? {}
}

/** The names of the headers a failure may carry, as documentation lists them. */
export function headersOfRow(kind: FailureKind): string {
  if (kind === 'method_not_allowed') return '`Allow`'
  return errorTable[kind].headers === undefined ? '' : '`Retry-After`'
}

/** What goes into `appended_data`: the order that a repeated earning already has, or what may be wrong with a key. */
export function appendedData(failure: Failure, locale: Locale): object {
  return rowOf(failure).appended?.(failure, locale) ?? {}
}
