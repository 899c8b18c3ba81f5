import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { mistakesOf } from '../support/settings.ts'

// `NUQTA_HOST=0`, perhaps meant to switch something off, is 0.0.0.0 for the system: the service listened on every address. So did
// other halves of addresses on addresses that nobody had written.

test.each(['0', '1', '127.1', '10.0.1', '010.0.0.7', '0x7f000001', 'shop.0x', '2130706433', '1.2.3.4.5'])(
  '%s is no host to listen on',
  (given) => {
    expect(mistakesOf({ env: { NUQTA_HOST: given }, cwd: '/' })[0]).toBe(
      `NUQTA_HOST must be an address or a host name to listen on, not ${given}`,
    )
  },
)

test.each(['0.0.0.0', '127.0.0.1', '::', '::1', 'localhost', 'api-1', 'nuqta.example', '1.nuqta', 'x0'])(
  '%s is one',
  (given) => {
    expect(loadConfig({ env: { NUQTA_HOST: given }, cwd: '/' }).host).toBe(given)
  },
)
