import type { Failure, FailureKind } from '../../domain/failures.ts'
import type { Locale, LocalText } from '../../domain/locale.ts'

export type FailureOf<K extends FailureKind> = Extract<Failure, { readonly kind: K }>

export interface ErrorRow<F> {
  readonly status: number
  /** The public sentence says what is wrong and what to do. It never holds internals or parts of the request. */
  readonly text: LocalText
  /** When it happens; for docs/errors.md. */
  readonly when: string
  /** A server error that the service answers on purpose: the line of its request is logged as `info`. */
  readonly planned?: true
  readonly headers?: (failure: F) => Readonly<Record<string, string>>
  readonly appended?: (failure: F, locale: Locale) => object
}
