import { lookup } from 'node:dns/promises'
import { hostInTheClear } from '../db/server-info.ts'
import { reachOfAddress } from '../net/addresses.ts'
import { type Finding, ok, problem } from './finding.ts'

const check = 'connection'

/**
 * Checks that what goes to a database elsewhere is encrypted. Containers of one machine, and the networks of some providers,
 * need no encryption, so that a private network is only named. No finding where there is nothing to say.
 * @param urls connection strings that the driver can read
 */
export async function checkConnections(urls: readonly (string | undefined)[]): Promise<Finding[]> {
  const hosts = urls.map((url) => (url === undefined ? null : hostInTheClear(url)))
  const named = new Set(hosts.filter((host) => host !== null))
  return (await Promise.all([...named].map(checkHost))).filter((finding) => finding !== undefined)
}

async function checkHost(host: string): Promise<Finding | undefined> {
  const found = await lookup(host, { all: true }).catch(() => [])
  const reaches = found.map(({ address }) => reachOfAddress(address))
  if (reaches.every((reach) => reach === 'loopback')) return undefined
  if (!reaches.includes('public'))
    return ok(check, `not encrypted to ${host}: only for a network that nobody else can listen in`)
  return problem(
    check,
    `the password and all data go to ${host} in the clear`,
    'End DATABASE_URL and NUQTA_MIGRATION_URL with ?sslmode=verify-full, as docs/production.md says.',
  )
}
