import ipaddr from 'ipaddr.js'

/** Whom an address stands for: itself, or the /64 that an IPv6 address is of, since a subscriber is given a whole one. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? `${parsed.toByteArray().slice(0, 8).join('.')}/64` : parsed.toString()
}
