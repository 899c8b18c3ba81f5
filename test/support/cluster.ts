import { clusterSettings, placements } from '../../src/db/citus.ts'
import type { Database } from '../../src/db/pool.ts'
import { at, connected } from './server.ts'

// Each worker of the run has its own database, and every file starts there with empty tables. The first
// database is migrated and spread; the others are copies of it.

/** Few shards, so that tests are fast. Every node has some. */
const shards = 2

interface Node {
  readonly nodename: string
  readonly nodeport: number
  readonly groupid: number
}

/** Makes an empty database on every node of the cluster of `admin_url`, and returns its address. */
export async function makeClusterDatabase(admin_url: string, name: string): Promise<string> {
  const nodes = await nodesOf(admin_url)
  for (const node of nodes) await onNode(admin_url, node, (admin) => admin.script(`create database ${name}`))
  for (const node of nodes)
    await onNode(at(admin_url, { database: name }), node, (admin) => admin.script('create extension citus'))
  const url = at(admin_url, { database: name })
  await connected(url, async (admin) => {
    for (const { nodename, nodeport, groupid } of nodes) {
      const add = groupid === 0 ? 'citus_set_coordinator_host' : 'citus_add_node'
      await admin.run({ text: `select ${add}($1, $2)`, values: [nodename, nodeport] })
    }
    await setUp(admin, name)
  })
  return url
}

/** The settings of a database. A copy does not inherit them. */
async function setUp(admin: Database, name: string): Promise<void> {
  await admin.script(`alter database ${name} set citus.shard_count = ${shards}`)
  await admin.script(`alter database ${name} set citus.enable_stat_counters = on`)
}

/**
 * Copies a distributed database on every node: much faster than distributing another one. The copy includes the cluster's own
 * tables. They stay right: they list the nodes, and a node connects to the database of the same name on another.
 */
export async function copyClusterDatabase(admin_url: string, from: string, to: readonly string[]): Promise<void> {
  for (const node of await nodesOf(admin_url))
    await onNode(admin_url, node, async (admin) => {
      // Refuse connections first: the cluster's daemon would connect again.
      await admin.script(`alter database ${from} with allow_connections false`)
      await admin.run({
        text: 'select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1',
        values: [from],
      })
      for (const name of to) await admin.script(`create database ${name} template ${from}`)
      await admin.script(`alter database ${from} with allow_connections true`)
    })
  for (const name of to) await connected(at(admin_url, { database: name }), (admin) => setUp(admin, name))
}

export async function dropClusterDatabase(admin_url: string, name: string): Promise<void> {
  // Start with the coordinator: its daemon keeps connecting to the other nodes.
  for (const node of await nodesOf(admin_url))
    await onNode(admin_url, node, (admin) => admin.script(`drop database if exists ${name} with (force)`))
}

/** Empties every table but the list of migrations, the coordinator's own too. Referencing tables come before referenced ones. */
export async function emptyTables(owner: Database): Promise<void> {
  const tables = Object.keys(placements).filter((name) => name !== 'schema_migration')
  await owner.transaction((tx) => tx.script([clusterSettings, ...tables.reverse().map(emptying)].join(';')))
}

const emptying = (table: string): string => `delete from ${table}`

async function nodesOf(admin_url: string): Promise<Node[]> {
  return connected(admin_url, (admin) =>
    admin.run<Node>({
      text: `select nodename, nodeport, groupid from pg_dist_node where noderole = 'primary' order by groupid`,
      values: [],
    }),
  )
}

function onNode(url: string, { nodename, nodeport }: Node, work: (db: Database) => Promise<void>): Promise<void> {
  const place = new URL(url)
  place.hostname = nodename
  place.port = String(nodeport)
  return connected(place.href, work)
}
