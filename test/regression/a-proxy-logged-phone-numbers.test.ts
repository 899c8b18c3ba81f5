import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from '../support/tree.ts'

// nginx logs the address of each request unless it is told otherwise. With our configuration its log had the keys of checkouts,
// and the phone numbers that staff search for, which reach no log of ours.

test('nginx keeps no log of requests', () => {
  const servers = readFileSync(`${root}deploy/nginx/nuqta.conf`, 'utf8')
    .split(/^server \{$/m)
    .slice(1)
  expect(servers).toHaveLength(2)
  for (const server of servers) expect(server).toMatch(/^ {2}access_log off;$/m)
})

test('Caddy is not told to keep one', () => {
  expect(readFileSync(`${root}deploy/caddy/Caddyfile`, 'utf8')).not.toMatch(/^\s*log\b/m)
})
