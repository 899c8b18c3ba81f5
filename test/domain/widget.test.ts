import { expect, it } from 'vitest'
import { framingOrigin } from '../../src/domain/widget.ts'

const own = 'https://localhost:8443'
const return_hosts = ['shop.example', 'xn--mgbh0fb.example', 'localhost:3000']

it.each([
  // origin, in a sandbox, in production
  ['https://shop.example', true, true],
  ['https://xn--mgbh0fb.example', true, true],
  ['http://localhost:3000', true, false],
  ['https://localhost:3000', true, true],
  [own, true, false],
  ['https://shop.example:8443', false, false],
  ['https://www.shop.example', false, false],
  ['https://shop.example/', false, false],
  ['https://user@shop.example', false, false],
  ['HTTPS://SHOP.EXAMPLE', false, false],
  ["https://shop.example 'self'", false, false],
  ['https://shop.example; script-src *', false, false],
  ['*', false, false],
  ['null', false, false],
  ['', false, false],
  [undefined, false, false],
])('%s may frame the card in a sandbox: %s, in production: %s', (origin, sandbox, production) => {
  const may = (rules: { production: boolean; own: string | null }) => framingOrigin(origin, { ...rules, return_hosts })
  expect(may({ production: false, own })).toBe(sandbox ? origin : null)
  expect(may({ production: true, own: null })).toBe(production ? origin : null)
  expect(framingOrigin(origin, { production: true, own: null, return_hosts: [] })).toBe(null)
})
