import { expect, test } from 'vitest'
import { readReturn } from '../../src/domain/checkout-request.ts'
import { reachOfHost } from '../../src/net/addresses.ts'

const many = 300_000 // the former patterns take minutes for so many

// What went wrong: a `callback_url` could be split in as many ways as it has characters, and all were tried where it has a
// backslash. 2,048 characters took 30 ms, in which the process answered nobody. Anybody may send them with a public key,
// and no limit counts a request that is refused.
test.each([
  ['letters', `https://${'a'.repeat(many)}\\`],
  ['slashes', `https:${'/'.repeat(many)}\\`],
  ['slashes behind a host', `https://a${'/'.repeat(many)}\\`],
  ['dots', `https://a${'.'.repeat(many)}\\`],
])('a return address of many %s is read in one go', (_, address) => {
  expect(readReturn(address)).toBeNull()
})

// The dots at the end of a name were looked for from each of its dots.
test('a host of many dots is read in one go', () => {
  expect(reachOfHost(`${'.'.repeat(many)}a`)).toBeNull()
  expect(reachOfHost(`localhost${'.'.repeat(many)}`)).toBe('loopback')
})

test.each([
  ['https://shop.example/done?a=\\b', 'shop.example', '/done?a=\\b'],
  ['https:///shop.example', 'shop.example', ''],
  ['https://shop.example?a=/\\', 'shop.example', '?a=/\\'],
  ['https://shop.example#\\', 'shop.example', '#\\'],
  ['https://shop.example//two?x#y', 'shop.example', '//two?x#y'],
])('still reads %s', (address, host, rest) => {
  expect(readReturn(address)).toMatchObject({ host, href: `https://${host}${rest}` })
})

test.each([
  'https://',
  'https:///',
  'https://?a',
  'https://#a',
  'https://shop.example\\@evil.example',
  'https://a/\\b',
])('still refuses %s', (address) => {
  expect(readReturn(address)).toBeNull()
})
