import ipaddr from 'ipaddr.js'

/** Whom an address stands for when requests are counted. One that cannot be read stands for itself. */

/** An IPv4 address itself; of an IPv6 address the /56, since a home is given a whole one. */
export function homeOf(address: string): string {
  return groupOf(address, 56) ?? addressOf(address)
}

/** The /48 of an IPv6 address, since an office or a rented server is given a whole one; null for IPv4, which has no such group. */
export function siteOf(address: string): string | null {
  return groupOf(address, 48)
}

function groupOf(address: string, bits: 48 | 56): string | null {
  const parsed = ipaddr.isValid(address) ? ipaddr.process(address) : null
  if (!(parsed instanceof ipaddr.IPv6)) return null
  return `${parsed
    .toByteArray()
    .slice(0, bits / 8)
    .join('.')}/${bits}`
}

/** IPv4 as it is mostly written, also where it arrived as `::ffff:203.0.113.7`. */
function addressOf(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}
