/** Machine translation of short labels. docs/spec/orders.md#translation */
import type { Locale } from '../../domain/locale.ts'

export interface TranslationRequest {
  readonly text: string
  readonly source: Locale
  readonly target: Locale
}

/**
 * Why there is no translation. `credentials`: the provider does not accept our key. `busy`: a quota or a rate limit is
 * used up. `refused`: the provider does not accept the request. `unreachable`: no answer in time, or the provider is
 * down. `malformed`: the answer cannot be read.
 */
export type TranslationFailure = 'credentials' | 'busy' | 'refused' | 'unreachable' | 'malformed'

export type TranslationOutcome =
  | { readonly kind: 'translated'; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: TranslationFailure }

export interface Translator {
  /**
   * Translates a text, or says why not. Never throws for a failure of the provider. Ends early when `signal` aborts.
   */
  translate(request: TranslationRequest, signal: AbortSignal): Promise<TranslationOutcome>
}
