import { describe, expect, it } from 'vitest'
import { mayReach, reachOfAddress, reachOfHost, worstReach } from '../../src/net/addresses.ts'
import { readTable } from '../support/tables.ts'

// Anybody who can register a webhook chooses where the service sends requests. These are the ways to write an internal
// address as the host of a URL.

const hosts = readTable(`
  host                                    | reach    | what it is
  8.8.8.8                                 | public   | a public address
  1.1.1.1                                 | public   | a public address
  9.255.255.255                           | public   | just below 10/8
  11.0.0.0                                | public   | just above 10/8
  172.15.255.255                          | public   | just below 172.16/12
  172.32.0.0                              | public   | just above 172.16/12
  100.63.255.255                          | public   | just below 100.64/10
  100.128.0.0                             | public   | just above 100.64/10
  223.255.255.255                         | public   | just below multicast
  134744072                               | public   | 8.8.8.8 as one number
  [2606:4700:4700::1111]                  | public   | a public IPv6 address
  [2a00:1450:4001:80b::200e]              | public   | a public IPv6 address
  [::ffff:8.8.8.8]                        | public   | a public address, mapped
  [64:ff9b::8.8.8.8]                      | public   | a public address behind NAT64
  127.0.0.1                               | loopback | loopback
  127.255.255.254                         | loopback | all of 127/8
  127.1                                   | loopback | short form
  127.0.1                                 | loopback | short form
  0177.0.0.1                              | loopback | octal
  0x7f.0.0.1                              | loopback | hexadecimal
  0x7f000001                              | loopback | one hexadecimal number
  2130706433                              | loopback | one number
  017700000001                            | loopback | one octal number
  127.0.0.1.                              | loopback | trailing dot
  １２７.０.０.１                           | loopback | full-width digits
  127。0。0。1                             | loopback | ideographic dots
  %31%32%37.0.0.1                         | loopback | percent-encoded
  [::1]                                   | loopback | IPv6 loopback
  [0:0:0:0:0:0:0:1]                       | loopback | written out
  [0000:0000:0000:0000:0000:0000:0000:0001] | loopback | with all zeros
  [::ffff:127.0.0.1]                      | loopback | mapped
  [::ffff:7f00:1]                         | loopback | mapped, in hexadecimal
  localhost                               | loopback | the name
  LOCALHOST                               | loopback | upper case
  localhost.                              | loopback | trailing dot
  api.localhost                           | loopback | RFC 6761: all names below it
  localhost.localdomain                   | loopback | as in /etc/hosts
  localhost6                              | loopback | as in /etc/hosts
  ip6-localhost                           | loopback | as in /etc/hosts
  ip6-loopback                            | loopback | as in /etc/hosts
  0.0.0.0                                 | reserved | this host, which Linux connects to loopback
  0                                       | reserved | the same, short
  0.1.2.3                                 | reserved | 0/8
  10.0.0.1                                | reserved | private
  10.255.255.255                          | reserved | private
  0xa000001                               | reserved | private, hexadecimal
  012.0.0.1                               | reserved | private, octal
  167772161                               | reserved | private, one number
  172.16.0.1                              | reserved | private
  172.31.255.255                          | reserved | private
  192.168.0.1                             | reserved | private
  192.168.1                               | reserved | private, short form
  100.64.0.1                              | reserved | carrier-grade NAT
  100.100.100.200                         | reserved | metadata of a cloud
  169.254.0.1                             | reserved | link-local
  169.254.169.254                         | reserved | metadata of clouds
  169.254.169.254.                        | reserved | the same, trailing dot
  0xa9fea9fe                              | reserved | the same, hexadecimal
  2852039166                              | reserved | the same, one number
  [::ffff:169.254.169.254]                | reserved | the same, mapped
  168.63.129.16                           | reserved | a cloud's host, in public space
  192.0.0.1                               | reserved | IETF assignments
  192.0.0.192                             | reserved | metadata of a cloud
  192.0.2.1                               | reserved | documentation
  198.51.100.1                            | reserved | documentation
  203.0.113.1                             | reserved | documentation
  192.88.99.1                             | reserved | 6to4 relays
  192.31.196.1                            | reserved | AS112
  192.52.193.1                            | reserved | AMT
  192.175.48.1                            | reserved | AS112
  198.18.0.1                              | reserved | benchmarks
  198.19.255.255                          | reserved | benchmarks
  224.0.0.1                               | reserved | multicast
  239.255.255.255                         | reserved | multicast
  240.0.0.1                               | reserved | class E
  255.255.255.255                         | reserved | broadcast
  [::]                                    | reserved | unspecified
  [::7f00:1]                              | reserved | IPv4-compatible loopback
  [::10.0.0.1]                            | reserved | IPv4-compatible
  [::ffff:10.0.0.1]                       | reserved | private, mapped
  [::ffff:c0a8:101]                       | reserved | private, mapped, in hexadecimal
  [::ffff:0:10.0.0.1]                     | reserved | IPv4-translated
  [64:ff9b::127.0.0.1]                    | reserved | loopback of the NAT64
  [64:ff9b::a00:1]                        | reserved | private behind NAT64
  [64:ff9b:1::8.8.8.8]                    | reserved | NAT64 of a network's own
  [fc00::1]                               | reserved | unique local
  [fd00:ec2::254]                         | reserved | metadata of a cloud
  [fe80::1]                               | reserved | link-local
  [febf::1]                               | reserved | link-local, its end
  [fec0::1]                               | reserved | site-local
  [ff02::1]                               | reserved | multicast
  [100::1]                                | reserved | discard
  [5f00::1]                               | reserved | segment routing
  [2001::1]                               | reserved | Teredo
  [2001:10::1]                            | reserved | ORCHID
  [2001:2::1]                             | reserved | benchmarks
  [2001:db8::1]                           | reserved | documentation
  [3fff::1]                               | reserved | documentation
  [2002:7f00:1::]                         | reserved | 6to4 of loopback
  [2002:a00:1::1]                         | reserved | 6to4 of a private address
  [2002:808:808::1]                       | reserved | 6to4, which nobody routes any more
  [2620:4f:8000::1]                       | reserved | AS112
  metadata                                | reserved | a metadata name
  metadata.google.internal                | reserved | a metadata name
  metadata.google.internal.               | reserved | the same, trailing dot
  metadata.goog                           | reserved | a metadata name
  instance-data.ec2.internal              | reserved | a metadata name
  256.256.256.256                         | reserved | not an address, and no name either
  1.2.3.4.5                               | reserved | not an address, and no name either
  [fe80::1%25eth0]                        | reserved | with a zone
  [::1%lo]                                | reserved | with a zone
  exa mple.com                            | reserved | not a host
  example.com                             | a name   | only a look-up can tell
  localhost.example.com                   | a name   | not below localhost
  notlocalhost                            | a name   | not localhost
  127.0.0.1.example.com                   | a name   | not an address
  127.0.0.1.nip.io                        | a name   | resolves to loopback, which the look-up finds
  xn--mgbh0fb.example                     | a name   | an internationalised name
`)

describe('the host of a URL', () => {
  it('is tested in more than sixty forms', () => {
    expect(hosts.length).toBeGreaterThanOrEqual(60)
  })

  it.each(hosts)('$host is $reach: $what it is', ({ host = '', reach }) => {
    expect(reachOfHost(host) ?? 'a name').toBe(reach)
  })

  it('has the same reach in a URL and by itself', () => {
    for (const { host = '', reach } of hosts) {
      const url = URL.parse(`https://${host}/`)
      if (url !== null) expect(reachOfHost(url.hostname) ?? 'a name', host).toBe(reach)
    }
  })
})

const addresses = readTable(`
  address                  | reach    | what it is
  8.8.8.8                  | public   | as a resolver gives it
  2606:4700:4700::1111     | public   | as a resolver gives it
  ::ffff:8.8.8.8           | public   | mapped, as a socket says it
  127.0.0.53               | loopback | a resolver of this machine
  ::1                      | loopback |
  ::ffff:127.0.0.1         | loopback | mapped, as a socket says it
  10.1.2.3                 | reserved |
  fe80::1                  | reserved |
  fe80::1%eth0             | reserved | with the zone that a look-up adds
  ::1%lo                   | loopback | with a zone
  8.8.8.8%eth0             | public   | with a zone
  ::                       | reserved |
  0.0.0.0                  | reserved |
  2130706433               | reserved | no resolver says it so
  example.com              | reserved | not an address
                           | reserved | nothing
`)

describe('an address of a name or a connection', () => {
  it.each(addresses)('$address is $reach $what it is', ({ address = '', reach }) => {
    expect(reachOfAddress(address)).toBe(reach)
  })

  it('of a name has the reach of its worst address', () => {
    expect(worstReach([])).toBe('public')
    expect(worstReach(['public', 'public'])).toBe('public')
    expect(worstReach(['public', 'loopback'])).toBe('loopback')
    expect(worstReach(['loopback', 'reserved', 'public'])).toBe('reserved')
  })

  it('is allowed when public, or loopback if a setting says so, and never when reserved', () => {
    const allowed = (allow_loopback: boolean) =>
      (['public', 'loopback', 'reserved'] as const).filter((reach) => mayReach(reach, { allow_loopback }))
    expect(allowed(false)).toEqual(['public'])
    expect(allowed(true)).toEqual(['public', 'loopback'])
  })
})
