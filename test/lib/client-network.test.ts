import { expect, test } from 'vitest'
import { homeOf, siteOf } from '../../src/lib/client-network.ts'

test.each([
  ['203.0.113.7', '203.0.113.7', null],
  ['::ffff:203.0.113.7', '203.0.113.7', null],
  ['2001:db8:1:2ff::1', '32.1.13.184.0.1.2/56', '32.1.13.184.0.1/48'],
  ['2001:db8:1:200:ffff::9', '32.1.13.184.0.1.2/56', '32.1.13.184.0.1/48'],
  ['2001:db8:1:300::1', '32.1.13.184.0.1.3/56', '32.1.13.184.0.1/48'],
  ['2001:db8:2::1', '32.1.13.184.0.2.0/56', '32.1.13.184.0.2/48'],
  ['unknown', 'unknown', null],
])('%s counts as %s, and as %s', (address, home, site) => {
  expect([homeOf(address), siteOf(address)]).toEqual([home, site])
})
