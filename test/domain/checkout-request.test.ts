import { describe, expect, it } from 'vitest'
import { checkReturn, parseReturnHost, type ReturnReach, readReturn } from '../../src/domain/checkout-request.ts'
import { readTable } from '../support/tables.ts'

const hosts = readTable(`
  typed                     | host
  shop.example              | shop.example
  Shop.EXAMPLE              | shop.example
  shop.example:8443         | shop.example:8443
  shop.example:443          | shop.example
  localhost:3000            | localhost:3000
  127.0.0.1:3000            | 127.0.0.1:3000
  [::1]:3000                | [::1]:3000
  متجر.السعودية             | xn--pgbep1f.xn--mgberp4a5d4ar
  xn--pgbep1f.example       | xn--pgbep1f.example
  https://shop.example      | null
  shop.example/             | null
  shop.example/thanks       | null
  user@shop.example         | null
  *.shop.example            | null
  .shop.example             | null
  shop.example.             | null
  shop..example             | null
  shop.example:             | shop.example
  shop.example:x            | null
  shop.example:70000        | null
  shop example              | null
  sh%2fop.example           | null
  ?                         | null
  ,shop.example             | null
`)

describe('an allowed host', () => {
  it.each(hosts)('$typed is $host', ({ typed = '', host }) => {
    expect(String(parseReturnHost(typed))).toBe(host)
  })
})

describe('the address of a callback_url', () => {
  it('keeps everything after its host, and has the host as browsers write it', () => {
    const kept = '/a b/%2e?q=1&r=\\"#f?x'
    expect(readReturn(`HTTPS://متجر.Example:443${kept}`)).toEqual({
      protocol: 'https:',
      host: 'xn--pgbep1f.example',
      has_user: false,
      href: `https://xn--pgbep1f.example${kept}`,
    })
    expect(readReturn('http://shop.example?x')?.href).toBe('http://shop.example?x')
    expect(readReturn('https:////shop.example/a')?.href).toBe('https://shop.example/a')
  })

  it.each([
    '',
    'shop.example',
    'https:shop.example',
    'https://',
    'https://a\\b.example/',
    'https://a.example/b\\c',
    'https://a%2fb/',
  ])('%j is none', (text) => {
    expect(readReturn(text)).toBeNull()
  })

  it('with a user is refused for the user first', () => {
    const address = readReturn('http://user@10.0.0.1/')
    if (address === null) throw new Error('it is one')
    expect(checkReturn(address, 'private', { production: true, return_hosts: ['x'] })).toMatchObject({
      rule: 'url_user',
    })
  })

  it.each([
    ['public', true, null],
    [null, true, null],
    ['private', true, 'address_reserved'],
    ['loopback', true, 'address_reserved'],
    ['reserved', true, 'address_reserved'],
    ['public', false, null],
    [null, false, null],
    ['private', false, null],
    ['loopback', false, null],
    ['reserved', false, 'address_reserved'],
  ] as const)('whose reach is %s (production: %s) is refused by %s', (reach: ReturnReach, production, rule) => {
    const address = readReturn('https://shop.example/')
    if (address === null) throw new Error('it is one')
    expect(checkReturn(address, reach, { production, return_hosts: [] })?.rule ?? null).toBe(rule)
  })
})
