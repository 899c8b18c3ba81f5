import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Which proxies may name the client of a request (`NUQTA_TRUST_PROXY`, docs/settings.md). */
export interface ProxyTrust {
  /** Whether an address is a trusted proxy. */
  trusts(address: string | undefined): boolean
  /** Whether the request reached the outermost proxy by HTTPS, or reached us by HTTPS when no proxy says. */
  arrivedByHttps(request: IncomingMessage): boolean
  /** The nearest address that is not a trusted proxy. */
  clientAddress(request: IncomingMessage): string
}

/** Takes addresses and CIDR ranges. Throws for an entry that is neither. */
export function trustProxies(list: readonly string[]): ProxyTrust {
  const proxies = new BlockList()
  for (const entry of list) addProxy(proxies, entry)

  const trusts = (address: string | undefined): boolean => {
    if (list.length === 0) return false
    const family = address === undefined ? 0 : isIP(address)
    return address !== undefined && family !== 0 && proxies.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
  return {
    trusts,
    arrivedByHttps(request) {
      const encrypted = 'encrypted' in request.socket
      if (!trusts(request.socket.remoteAddress)) return encrypted
      const protocols = listOf(request.headers['x-forwarded-proto'])
      return protocols.length === 0 ? encrypted : protocols.every((protocol) => protocol.toLowerCase() === 'https')
    },
    clientAddress(request) {
      let address = request.socket.remoteAddress ?? 'unknown'
      if (!trusts(address)) return address
      for (const hop of listOf(request.headers['x-forwarded-for']).reverse().map(withoutPort)) {
        if (isIP(hop) === 0) break
        address = hop
        if (!trusts(hop)) break
      }
      return address
    },
  }
}

function addProxy(proxies: BlockList, entry: string): void {
  const [address = '', prefix] = entry.trim().split('/')
  const family = isIP(address)
  const bits = prefix === undefined ? undefined : Number(prefix)
  const valid = bits === undefined || (/^\d+$/.test(prefix ?? '') && bits <= (family === 6 ? 128 : 32))
  if (family === 0 || !valid) throw new Error(`trusted proxy ${entry}: not an address or CIDR range`)
  const type = family === 6 ? 'ipv6' : 'ipv4'
  if (bits === undefined) proxies.addAddress(address, type)
  else proxies.addSubnet(address, bits, type)
}

/** Some proxies name the client's port too: `203.0.113.9:51234`, `[2001:db8::1]:51234`. */
function withoutPort(hop: string): string {
  const [, bracketed, ipv4] = /^(?:\[(.*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop) ?? []
  return bracketed ?? ipv4 ?? hop
}

/** The values of a list header, in one line or in several. */
function listOf(header: string | readonly string[] | undefined): string[] {
  if (header === undefined) return []
  const text = typeof header === 'string' ? header : header.join(',')
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}
