import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findFreePort } from '../../src/lib/listen.ts'

// What went wrong: `--port 0` took a port that the system had given, and listened on it when the database was open. By then the
// system had given the same port to a connection, and the start failed: the port was in use.

const range = '/proc/sys/net/ipv4/ip_local_port_range'

/** The lowest port that the system gives to connections; elsewhere than on Linux it is higher than Linux's own. */
function lowestOfConnections(): number {
  try {
    return Number(readFileSync(range, 'utf8').split(/\s+/)[0])
  } catch {
    return 32_768
  }
}

test('a free port is none that the system gives to connections', async () => {
  for (let tries = 0; tries < 20; tries += 1)
    expect(await findFreePort('127.0.0.1')).toBeLessThan(lowestOfConnections())
})
