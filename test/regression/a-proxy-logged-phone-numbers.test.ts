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
  const [, ...sites] = readFileSync(`${root}deploy/caddy/Caddyfile`, 'utf8').split(/^(?=\S*points\.example\.com \{$)/m)
  expect(sites).toHaveLength(2)
  for (const site of sites) expect(site).not.toMatch(/^\s*log\b/m)
})

// While Nuqta restarted, Caddy logged each request that failed with its headers: the private keys of merchants. Both logged the
// addresses of checkouts.

test('nginx logs no address of a request that failed', () => {
  const [, , server = ''] = readFileSync(`${root}deploy/nginx/nuqta.conf`, 'utf8').split(/^server \{$/m)
  expect(server).toMatch(/^ {2}error_log \S+ alert;$/m)
})

test('Caddy logs no address and no headers of a request that failed', () => {
  const [global = ''] = readFileSync(`${root}deploy/caddy/Caddyfile`, 'utf8').split(/^\S*points\.example\.com \{$/m)
  expect(global).toMatch(/^\tlog default \{$/m)
  for (const field of ['uri', 'headers']) expect(global).toMatch(new RegExp(`^\\t+request>${field} delete$`, 'm'))
})
