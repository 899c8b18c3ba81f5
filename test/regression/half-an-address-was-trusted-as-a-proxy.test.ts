import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { mistakesOf } from '../support/settings.ts'

// Half an address, or one with a leading zero, was taken for another one: `10.0.1` is 10.0.0.1, `10` is 0.0.0.10, and
// `010.0.0.7`, with its octal number, is 8.0.0.7. So a stranger was trusted in the place of the proxy.

test.each(['10', '10.0.1', '010.0.0.7', '0x0a.0.0.7', '167772167', '10/8', '10.1/16', '1,5'])(
  '%s is no address of a proxy',
  (given) => {
    const [first] = given.split(',')
    expect(mistakesOf({ env: { NUQTA_TRUST_PROXY: given }, cwd: '/' })[0]).toBe(
      `NUQTA_TRUST_PROXY must list IP addresses and ranges like 10.0.0.7 or 10.0.0.0/24; ${first} is neither`,
    )
  },
)

test('whole addresses and ranges of both kinds are', () => {
  const given = '10.0.0.7, 10.0.1.0/24, ::1, fd00::/8, ::ffff:10.0.0.8'
  expect(loadConfig({ env: { NUQTA_TRUST_PROXY: given }, cwd: '/' }).trust_proxy).toEqual(given.split(', '))
})
