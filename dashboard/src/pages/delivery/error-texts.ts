import type { TextKey } from '../../texts/catalogue.ts'

/** What the codes of failed connections mean. Whoever runs the receiver knows the code. */
const connections: Readonly<Record<string, TextKey>> = {
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

/** What the service's own codes mean, which nobody needs to see. */
const own: Readonly<Record<string, TextKey>> = {
  too_late: 'deliveries.error_late',
  unknown_host: 'deliveries.error_name',
  reserved: 'deliveries.error_reserved',
  interrupted: 'deliveries.error_interrupted',
  webhook_deleted: 'deliveries.error_deleted',
  event_purged: 'deliveries.error_purged',
}

/** The text for an error, with its code if readers can use that; undefined for an error that we do not know. */
export function explainedError(code: string | null): { readonly text: TextKey; readonly code?: string } | undefined {
  if (code === null) return undefined
  const text = connections[code]
  if (text !== undefined) return { text, code }
  return own[code] === undefined ? undefined : { text: own[code] }
}
