import ipaddr from 'ipaddr.js'

/** The client that an address stands for when requests are counted. An unreadable address stands for itself. */

/** An IPv4 address as it is; the /56 of an IPv6 address, since one home gets a whole /56. */
export function homeOf(address: string): string {
  return groupOf(address, 56) ?? addressOf(address)
}

/** The /48 of an IPv6 address, since an office or a rented server gets a whole /48; null for IPv4. */
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

/** Writes IPv4 without its IPv6 form: `::ffff:203.0.113.7` becomes `203.0.113.7`. */
function addressOf(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}
