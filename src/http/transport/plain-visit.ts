import type { IncomingMessage, ServerResponse } from 'node:http'
import { newRequestId, typedAsSaid } from '../api/responses.ts'

/** Signs of a proxy. One that ends TLS and is not trusted would send the browser here again, without end. */
const proxySigns = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** The paths of the APIs, whose clients have to learn of their mistake. */
const ofAnApi = /^\/(?:dashboard\/)?api(?:[/?]|$)/

/**
 * The address at which a person finds what they asked for by `http://`, which browsers try first for `localhost`. Undefined for a
 * program, and behind a proxy.
 * @param public_url the configured beginning of links: the `Host` header is not asked, since anybody can choose it
 */
export function httpsAddressOf(request: IncomingMessage, public_url: string): string | undefined {
  const { method, url = '', headers } = request
  if (method !== 'GET' || !/\btext\/html\b/i.test(headers.accept ?? '')) return undefined
  if (proxySigns.some((name) => headers[name] !== undefined)) return undefined
  // Only a plain path follows the host: any other target leads to the front page.
  if (!/^\/[\x21-\x7e]*$/.test(url)) return `${public_url}/`
  return ofAnApi.test(url) ? undefined : public_url + url
}

/** Sends a person there. The connection ends with the answer. */
export function sendToHttps(response: ServerResponse, location: string): void {
  const body = `This address needs HTTPS: ${location}\n`
  const type = { 'content-type': 'text/plain; charset=utf-8', 'content-length': String(Buffer.byteLength(body)) }
  const common = { 'x-request-id': newRequestId(), 'cache-control': 'no-store', connection: 'close' }
  response.writeHead(307, { location, ...type, ...typedAsSaid, ...common }).end(body)
}
