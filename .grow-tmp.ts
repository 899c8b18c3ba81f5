import { Database } from '/work/wt/activity/src/db/pool.ts'
import { migrate } from '/work/wt/activity/src/db/migrate.ts'
import { customersSql, growSql } from '/work/wt/activity/src/bench/grow.ts'
import { createProgram } from '/work/wt/activity/src/features/merchants/programs.ts'
import { createMerchants } from '/work/wt/activity/src/features/merchants/service.ts'
const url = `postgresql://postgres@localhost/postgres?host=${encodeURIComponent('/tmp/actbig')}`
const db = new Database(url, { size: 4, query_timeout_ms: 900000 })
await migrate(db)
const now = new Date()
const { program_id } = await createProgram(db, { name: 'Big', environment: 'sandbox', now })
const made = await createMerchants(db, { environment: 'sandbox', now, verified: true, published: true, program_id, name: 'Shop', count: 20 })
const first = Math.min(...made.map((m) => m.merchant_id))
const orders = Number(process.argv[2])
const one = new Database(url, { size: 1, query_timeout_ms: 900000 })
await one.script(`set session_replication_role = replica; set synchronous_commit = off`)
await one.script(customersSql(program_id, 200_000))
const t = Date.now()
for (const sql of growSql({ program_id, first_merchant: first, merchants: 20, customers: 200_000, orders, from_ms: Date.now() - 400 * 86400_000, every_ms: Math.floor(400 * 86400_000 / orders) })) { await one.script(sql); console.log(Math.round((Date.now() - t) / 1000), 's') }
await one.script('vacuum analyze')
console.log('done', (Date.now() - t) / 1000)
process.exit(0)
