/** Machine translation of short labels. Spec, "POST /v1/orders/{orderUuid}/status"; decisions §9. */
import type { Locale } from '../../domain/text.ts'

export interface TranslationRequest {
  readonly text: string
  readonly source: Locale
  readonly target: Locale
}

/**
 * Why there is no translation. `credentials`: our key is not accepted. `busy`: a quota or a rate limit is used up.
 * `refused`: the request is not accepted as it is. `unreachable`: no answer in time, or the provider is down.
 * `malformed`: its answer cannot be read.
 */
export type TranslationFailure = 'credentials' | 'busy' | 'refused' | 'unreachable' | 'malformed'

export type TranslationOutcome =
  | { readonly kind: 'translated'; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: TranslationFailure }

export interface Translator {
  /** Translates a text, or says why not; never throws for what the provider does. Ends early when `signal` does. */
  translate(request: TranslationRequest, signal: AbortSignal): Promise<TranslationOutcome>
}
