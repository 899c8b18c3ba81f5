import { expect, it } from 'vitest'
import { findMergedInto } from '../../../src/db/wallet-state.ts'
import { type Uuid, uuidV7Floor } from '../../../src/domain/ids.ts'
import type { Phone } from '../../../src/domain/phone.ts'
import * as health from '../../../src/features/deployment/health-queries.ts'
import * as runs from '../../../src/features/deployment/ledger-run-queries.ts'
import { findProcesses } from '../../../src/features/deployment/process-queries.ts'
import * as counts from '../../../src/features/limits/message-count-queries.ts'
import { createProgram } from '../../../src/features/merchants/programs.ts'
import * as findings from '../../../src/features/payments/finding-queries.ts'
import * as people from '../../../src/features/people/queries.ts'
import { findDisputes } from '../../../src/features/settlement/dispute-queries.ts'
import { findSettlements } from '../../../src/features/settlement/read-queries.ts'
import { testDatabase } from '../../support/database.ts'
import { plansOf } from '../../support/plans.ts'
import { rowsRead, stepsOf } from '../../support/reads.ts'

// The dashboard queries the deployment every few seconds: these statements must cost the same for any number of orders.

const database = testDatabase({ plans: 'by_key' })
const now = new Date()
const uuid = '0193e7a1-0000-7000-8000-000000000001' as Uuid

const asked = {
  database: health.readDatabaseFacts(),
  partitions: health.readPartitions(['event'], 10),
  troubled: health.findTroubledMerchants(1, { now, since: now, from: uuid }, { most: 10, size: 10 }),
  waiting: health.countWaiting(1, 10),
  invitations: health.countInvitations(1, now, 10),
  'message error': health.findMessageError(1),
  'task error': health.findTaskError(1),
  processes: findProcesses(now, 10),
  'message counts': counts.findMessageCounts(1, 'hour', now),
  'message failures': counts.findMessageFailures(1, now, 10),
  findings: findings.listFindings(1, undefined, { before: undefined, size: 10 }),
  'open findings': findings.listFindings(1, 'open', { before: undefined, size: 10 }),
  'programs with findings': findings.findProgramsWithFindings(),
  'resolved findings': findings.resolveFindings(1, now),
  'count of findings': findings.countOpenFindings(1, 10),
  'customers by name': people.findNamed(1, 'نورة', { after: { sorted: '', customer_id: uuid }, limit: 10 }),
  customers: people.findNewest(1, uuid, 10),
  'customer of a phone': people.findByPhone(1, '512345678' as Phone),
  'customers of ids': people.findByIds(1, [uuid]),
  'sign-ins': people.countSignIns(1, '512345678' as Phone, { machine: now, business: now }),
  'waiting earnings': people.findWaiting(1, uuid, 10),
  'orders of a customer': people.findOrders(1, [uuid], { before: uuid, limit: 10 }),
  'merged customers': findMergedInto({ program_id: 1, account_id: uuid }),
  disputes: findDisputes({ program_id: 1 }, null, 10),
  'disputes of a merchant': findDisputes({ program_id: 1, merchant_id: 1 }, null, 10),
  settlements: findSettlements(1, { merchant_id: null, before: undefined, limit: 10 }),
  'settlements of a merchant': findSettlements(1, { merchant_id: 1, before: undefined, limit: 10 }),
  runs: runs.findRuns(1, 10),
  'open run': runs.findOpenRun(),
}
/** Tables with one row, one row for each migration or program, or a few rows for the deployment. */
const small = /^(deployment|schema_migration|program|merchant|webhook|account|ledger_run) /

it('no query of operators walks a table', async () => {
  const plans = await plansOf(database.db, new Map(Object.entries(asked).map(([name, { text }]) => [name, text])))
  const walks = [...plans].flatMap(([name, plan]) =>
    plan.filter((line) => / (whole|\(\))$/.test(line) && !small.test(line)).map((line) => `${name}: ${line}`),
  )
  expect(walks.filter((line) => !/: pg_/.test(line))).toEqual([])
  expect(plans.get('merged customers')?.join()).toContain('account_merged_idx')
  expect(plans.get('customers by name')?.join()).toContain('customer_folded_name_idx')
  expect(plans.get('settlements of a merchant')?.join()).toContain('settlement_merchant_idx')
  expect(plans.get('troubled')).toContain(
    'delivery_queue by delivery_queue_webhook_idx (due_at, program_id, webhook_uuid)',
  )
})

it('disputes of one merchant are found without reading those of the others', async () => {
  const { program_id } = await createProgram(database.db, { name: 'Mall', environment: 'sandbox', now })
  const text = `insert into settlement_exclusion (program_id, order_uuid, merchant_id, reason, excluded_at)
    select $1, gen_random_uuid(), 1 + n % 300, 'late', $2 from generate_series(1, 9000) n`
  await database.owner.run({ text, values: [program_id, now] })
  await database.owner.script('analyze settlement_exclusion')
  const steps = await stepsOf(database.db, findDisputes({ program_id, merchant_id: 7 }, null, 10))
  const reads = steps.filter((step) => step['Relation Name'] === 'settlement_exclusion').map(rowsRead)
  expect(reads).toEqual([30])
})

it('failed deliveries of a webhook are found by the index of those that failed, in the months that can have them', async () => {
  const { text, values } = asked.troubled
  const from = uuidV7Floor(Date.now() - 86_400_000)
  const rows = await database.db.run({ text: `explain ${text}`, values: values.with(3, from) })
  const plan = JSON.stringify(rows)
  expect(plan).toMatch(/using delivery_\d{4}_\d{2}_program_id_webhook_uuid_delivery_id_idx/)
  expect(plan).not.toMatch(/Seq Scan on delivery/)
})
