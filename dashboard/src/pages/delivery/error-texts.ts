import type { TextKey } from '../../texts/catalogue.ts'

/** What the codes of failed connections mean. The service writes one in brackets behind its own, English sentence. */
export const errorTexts: Readonly<Record<string, TextKey>> = {
  ECONNREFUSED: 'deliveries.error_refused',
  ECONNRESET: 'deliveries.error_reset',
  EPIPE: 'deliveries.error_reset',
  EHOSTUNREACH: 'deliveries.error_unreachable',
  ENETUNREACH: 'deliveries.error_unreachable',
  ENOTFOUND: 'deliveries.error_name',
  EAI_AGAIN: 'deliveries.error_name',
  ETIMEDOUT: 'deliveries.error_slow',
  UND_ERR_CONNECT_TIMEOUT: 'deliveries.error_slow',
  UND_ERR_SOCKET: 'deliveries.error_closed',
  UND_ERR_HEADERS_OVERFLOW: 'deliveries.error_headers',
  UND_ERR_DESTROYED: 'deliveries.error_stopped',
}

/** What the service says without a code. */
const sentences: readonly (readonly [RegExp, TextKey])[] = [
  [/^no whole answer within [\d.]+ s$/, 'deliveries.error_late'],
  [/^the name \S+ has no address$/, 'deliveries.error_name'],
  [/^refused: .* is a reserved address, not on the public internet$/, 'deliveries.error_reserved'],
  [/^interrupted: /, 'deliveries.error_interrupted'],
  [/^not sent: the webhook has been deleted$/, 'deliveries.error_deleted'],
  [/^not sent: the event is not kept any more$/, 'deliveries.error_purged'],
]

/** The text for an error of the service, with its code if it has one; undefined for an error that we do not know. */
export function explainedError(error: string): { readonly text: TextKey; readonly code?: string } | undefined {
  const code = /\((\w+)\)$/.exec(error)?.[1]
  const text = errorTexts[code ?? ''] ?? sentences.find(([pattern]) => pattern.test(error))?.[1]
  if (text === undefined) return undefined
  return code === undefined ? { text } : { text, code }
}
