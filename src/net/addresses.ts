import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { bareHost } from '../lib/host.ts'

/**
 * Where an outgoing request leads. Checked at registration, and again for every address of a connection.
 * `loopback` is this machine; `reserved` is everything else off the public internet. docs/spec/webhooks.md#targets
 */
export type Reach = 'public' | 'loopback' | 'reserved'

/** IANA's special-purpose registry for IPv4, multicast, class E, and Azure's host address, which looks public. */
const reserved4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
])

/** The only IPv6 addresses that the internet routes. */
const unicast6 = blockList('ipv6', ['2000::/3'])

/** Exceptions: protocol assignments with Teredo and ORCHID, documentation, 6to4, AS112. */
const reserved6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'])

/** Private networks (RFC 1918, RFC 4193). */
const private4 = blockList('ipv4', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'])
const private6 = blockList('ipv6', ['fc00::/7'])

const mapped = blockList('ipv6', ['::ffff:0:0/96'])
const nat64 = blockList('ipv6', ['64:ff9b::/96'])

/** Names that always mean this machine (RFC 6761, and Linux's own). */
const loopbackNames =
  /^(?:.+\.)?localhost$|^localhost\.localdomain$|^localhost[46](?:\.localdomain[46])?$|^ip6-(?:localhost|loopback)$/

/** Names under which clouds hand out credentials. */
const metadataNames = /^(?:metadata|instance-data)(?:\.google\.internal|\.goog|\.ec2\.internal|\.azure\.internal)?$/

/** Takes an IP address, with or without a zone id, and gives its reach. A text that is no address is `reserved`. */
export function reachOfAddress(text: string): Reach {
  const address = text.replace(/%.*$/, '')
  const family = isIP(address)
  if (family === 4) return reachOfIPv4(address)
  return family === 6 ? reachOfIPv6(address) : 'reserved'
}

/**
 * Takes the host of a URL as written (brackets, octal and hexadecimal numbers, short forms, a trailing dot). Gives its
 * reach, or null for a name that must be looked up.
 */
export function reachOfHost(host: string): Reach | null {
  const hostname = URL.parse(`http://${host}/`)?.hostname
  if (hostname === undefined || hostname === '') return 'reserved'
  const bare = bareHost(hostname)
  if (isIP(bare) !== 0) return reachOfAddress(bare)
  const name = withoutEndDots(bare)
  if (loopbackNames.test(name)) return 'loopback'
  return metadataNames.test(name) ? 'reserved' : null
}

/** By steps: a pattern would look for the end of a name from each of its dots, and a stranger may send thousands. */
function withoutEndDots(name: string): string {
  let end = name.length
  while (name[end - 1] === '.') end -= 1
  return name.slice(0, end)
}

/** Whether the host of a URL, with or without a port, is an address of a private network. Names are not. */
export function isPrivateHost(host: string): boolean {
  const bare = bareHost(URL.parse(`http://${host}/`)?.hostname ?? '')
  const family = isIP(bare)
  return (family === 4 && private4.check(bare, 'ipv4')) || (family === 6 && private6.check(bare, 'ipv6'))
}

/** A name counts as its worst address. */
export function worstReach(reaches: readonly Reach[]): Reach {
  if (reaches.includes('reserved')) return 'reserved'
  return reaches.includes('loopback') ? 'loopback' : 'public'
}

export function mayReach(reach: Reach, allowed: { readonly allow_loopback: boolean }): boolean {
  return reach === 'public' || (reach === 'loopback' && allowed.allow_loopback)
}

function reachOfIPv4(address: string): Reach {
  if (address.startsWith('127.')) return 'loopback'
  return reserved4.check(address, 'ipv4') ? 'reserved' : 'public'
}

function reachOfIPv6(address: string): Reach {
  if (mapped.check(address, 'ipv6')) return reachOfIPv4(lastFourBytes(address))
  // The network translates it to IPv4, so that address counts. It never leads to this machine.
  if (nat64.check(address, 'ipv6')) return reachOfIPv4(lastFourBytes(address)) === 'public' ? 'public' : 'reserved'
  if (/^[0:]*:0*1$/.test(address)) return 'loopback'
  return unicast6.check(address, 'ipv6') && !reserved6.check(address, 'ipv6') ? 'public' : 'reserved'
}

function lastFourBytes(address: string): string {
  return ipaddr.parse(address).toByteArray().slice(-4).join('.')
}

function blockList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}
