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
