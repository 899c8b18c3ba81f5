import { beforeAll, describe, expect, it } from 'vitest'
import { verifyLedger } from '../../../src/db/verify.ts'
import type { Uuid } from '../../../src/domain/ids.ts'
import type { Phone } from '../../../src/domain/phone.ts'
import { readHealth } from '../../../src/features/deployment/health.ts'
import { startLedgerRuns } from '../../../src/features/deployment/ledger-run-job.ts'
import { createLedgerRuns } from '../../../src/features/deployment/ledger-runs.ts'
import { purgeProcesses, startHeartbeat, untilClocksAreAt } from '../../../src/features/deployment/processes.ts'
import { claimDeployment } from '../../../src/features/deployment/service.ts'
import {
  createCountMessage,
  purgeMessageCounts,
  readMessageCounts,
} from '../../../src/features/limits/message-counts.ts'
import { OffsetClock } from '../../../src/lib/clock.ts'
import { newUuid } from '../../../src/lib/ids.ts'
import { JobBook } from '../../../src/lib/job-book.ts'
import { startWorkerLoop } from '../../../src/lib/worker-loop.ts'
import { type LedgerFixture, writeLedger } from '../../cli/ledger-fixture.ts'
import { startApp } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { waitFor } from '../../support/wait.ts'

// What operators see of the deployment: messages, processes and their jobs, the database, and verifications of the ledger.

const database = testDatabase({ leaves: ['ledger differences', 'open holds', 'due deliveries', 'due messages'] })
const by = { source: 'dashboard', name: 'operator@nuqta.example' } as const
const log = { info: () => undefined, warn: () => undefined } as never
let ledger: LedgerFixture

beforeAll(async () => {
  await claimDeployment(database.db, 'sandbox')
  ledger = await writeLedger(database.db)
})

describe('messages', () => {
  const at = (text: string) => createCountMessage(database.db, () => new Date(text))

  it('are counted by hour and by day in Riyadh, with what providers said, and without long numbers', async () => {
    const { program_id } = ledger
    const code = { program_id, kind: 'code' } as const
    await at('2026-11-21T20:59:00Z')({ ...code, outcome: 'sent' })
    // Three hours before midnight in London begins the next day in Riyadh.
    await at('2026-11-21T21:00:00Z')({ ...code, outcome: 'sent' })
    await at('2026-11-21T21:30:00Z')({ ...code, outcome: 'sent' })
    await at('2026-11-21T21:40:00Z')({ ...code, outcome: 'failed', error: 'refused: HTTP 400 for 966512345678' })
    await at('2026-11-21T21:40:00Z')({ program_id: 0, kind: 'mail', outcome: 'unknown' })
    const [mails, own] = await readMessageCounts(database.db, [0, program_id], new Date('2026-11-21T22:10:00Z'))
    const count = (begins: string, outcome: string, messages: number) => {
      return { begins_at: new Date(begins), kind: 'code', outcome, messages }
    }
    expect(own?.hours).toEqual([
      count('2026-11-21T20:00:00Z', 'sent', 1),
      expect.objectContaining({ messages: 1, outcome: 'failed' }),
      count('2026-11-21T21:00:00Z', 'sent', 2),
    ])
    expect(own?.days.filter(({ outcome }) => outcome === 'sent')).toEqual([
      count('2026-11-20T21:00:00Z', 'sent', 1),
      count('2026-11-21T21:00:00Z', 'sent', 2),
    ])
    expect(own?.failures).toMatchObject([{ error: 'refused: HTTP 400 for …', messages: 1 }])
    expect(mails?.failures).toMatchObject([{ kind: 'mail', outcome: 'unknown', error: 'no reason given' }])
  })

  it('are purged: hours after days, days after the retention, those of mails too', async () => {
    const rows = () => database.owner.run({ text: 'select span from message_count order by span', values: [] })
    expect(await rows()).toHaveLength(8)
    await purgeMessageCounts(database.db, new Date('2026-11-26T00:00:00Z'), 90)
    expect((await rows()).filter((row) => Reflect.get(Object(row), 'span') !== 'day')).toEqual([])
    await purgeMessageCounts(database.db, new Date('2027-03-01T00:00:00Z'), 90)
    expect(await rows()).toEqual([])
  })

  it('that a customer asks for are counted where they are sent, and a count that fails stops no code', async () => {
    const app = await startApp(database)
    const ask = {
      program_id: ledger.program_id,
      purpose: 'wallet',
      client_address: '127.0.0.1',
      locale: 'en',
      name: 'Points',
    } as const
    const subject_uuid = '0193e7a1-0000-7000-8000-000000000001' as Uuid
    try {
      const sent = await app.services.sendOtp({ ...ask, subject_uuid, phone: '512345678' as Phone })
      expect(sent.kind).toBe('sent')
      const { days, budget, provider } = await app.services.readMessages()
      expect(days).toMatchObject([{ kind: 'code', sent: 1, unknown: 0, failed: 0, program_id: ledger.program_id }])
      expect(budget.all).toEqual({ used: 1, most: 2_000 })
      expect(provider).toBe('sandbox')
    } finally {
      await app.stop()
    }
  })
})

describe('the health of the deployment', () => {
  it('is waited for when the clock of a sandbox was moved, but not for ever', async () => {
    const clock = new OffsetClock()
    const about = { role: 'all', version: '0.1.0', host: `host of ${newUuid()}`, pid: 8 } as const
    const parts = { db: database.db, about, jobs: new JobBook(), examine: async () => [], certificateEnd: () => null }
    const { beat, stop } = startHeartbeat({ ...parts, clock })
    await beat()
    await untilClocksAreAt(database.db, 60, 1)
    let isThere = false
    const waiting = untilClocksAreAt(database.db, 60).then(() => (isThere = true))
    await untilClocksAreAt(database.db, 60, 1)
    expect(isThere).toBe(false)
    clock.setOffset(60)
    await beat()
    await waiting
    await stop()
  })

  it('lists processes with their jobs and checks, and marks those that stopped or fell silent', async () => {
    const jobs = new JobBook()
    let rounds = 0
    const work = async () => {
      rounds += 1
      if (rounds === 2) throw new Error('no answer about 966512345678')
    }
    const stopJob = startWorkerLoop({ work, pause_ms: 1, failure_pause_ms: 60_000, record: jobs.of('expiry') })
    await waitFor('the job fails', () => jobs.jobs[0]?.failures === 1)
    const about = { role: 'all', version: '0.1.0', host: `host of ${newUuid()}`, pid: 7 } as const
    // Test files on a cluster share one database, and processes are the deployment's.
    const seen = async (now?: Date) =>
      (await readHealth(database.db, now)).processes.filter(({ host }) => host === about.host)
    const examine = async () => [{ check: 'disk', ok: false, detail: 'full', advice: 'Make room.' }]
    const beat = { db: database.db, about, jobs, examine, certificateEnd: () => '2027-01-01' }
    const { stop } = startHeartbeat(beat)
    await waitFor('the process is seen', async () => (await seen()).length === 1)
    const processes = await seen()
    const failed = { name: 'expiry', failures: 1, error: 'no answer about …', failed_at: expect.any(String) }
    expect(processes).toMatchObject([{ ...about, life: 'running', facts: { jobs: [failed] } }])
    expect(processes[0]?.facts).toMatchObject({
      checks: { findings: await examine() },
      certificate_ends_on: '2027-01-01',
    })
    expect((await seen(new Date(Date.now() + 31_000)))[0]?.life).toBe('silent')
    await stop()
    await stopJob()
    expect((await seen())[0]?.life).toBe('stopped')
    expect(await purgeProcesses(database.db, new Date(Date.now() + 86_400_001))).toBeGreaterThan(0)
    expect(await seen()).toEqual([])
  })

  it('has the database, its partitions with that of the next month, and queues', async () => {
    const health = await readHealth(database.db)
    expect(health.database).toMatchObject({
      migration: expect.stringMatching(/^\d{4}_/),
      standbys: 0,
      backed_up_at: null,
    })
    expect(health.database.bytes).toBeGreaterThan(1_000_000)
    expect(health.tables.map(({ table, next_month }) => [table, next_month])).toEqual([
      ['event', true],
      ['delivery', true],
      ['delivery_attempt', true],
    ])
    expect(health.tables[0]?.partitions.length).toBeGreaterThan(3)
    expect(health.payment_tasks).toMatchObject({ due: 0, refused: 0, last_error: null })
  })

  it('names the merchants whose deliveries wait longest or have failed', async () => {
    const { program_id } = ledger
    const hook = '0193e7a1-0000-7000-8000-0000000000aa'
    const run = (text: string, ...values: unknown[]) => database.owner.run({ text, values })
    const [{ merchant_id } = { merchant_id: 0 }] = (await run(
      'select merchant_id from merchant where program_id = $1',
      program_id,
    )) as { merchant_id: number }[]
    await run(
      `insert into webhook (program_id, webhook_uuid, merchant_id, slot, name, url, secret, secret_last4, created_at, updated_at)
       values ($1, $2, $3, 1, 'Hook', 'https://shop.example', '', '', now(), now())`,
      ...[program_id, hook, merchant_id],
    )
    await run(
      `insert into delivery_queue (program_id, delivery_id, event_id, merchant_id, webhook_uuid, order_uuid, series, attempts, due_at, created_at)
       select $1, gen_random_uuid(), $2::uuid, $3, $2::uuid, $2::uuid, 1, 0, now() - interval '1 hour' * n - interval '1 minute', now() from generate_series(-1, 2) n`,
      ...[program_id, hook, merchant_id],
    )
    const { deliveries, at } = await readHealth(database.db)
    expect(deliveries.waiting).toBe(4)
    expect(deliveries.merchants).toMatchObject([{ merchant_id, merchant_name: 'Shop', due: 3, failed: 0 }])
    const oldest = deliveries.merchants[0]?.oldest_due_at ?? at
    expect(Math.round((at.getTime() - oldest.getTime()) / 3_600_000)).toBe(2)
    expect(Math.round(deliveries.oldest_due_s / 3_600)).toBe(2)
  })
})

describe('a verification of the ledger', () => {
  const runs = () => createLedgerRuns(database.db)
  const last = async () => (await runs().list(ledger.program_id, 1))[0]

  it('is done by a worker, with its progress and result, one at a time in the deployment', async () => {
    const { program_id } = ledger
    await runs().begin(program_id, by)
    await expect(runs().begin(program_id, by)).rejects.toMatchObject({ failure: { kind: 'verification_running' } })
    const stop = startLedgerRuns({ db: database.db, log, poll_ms: 20 })
    await waitFor('the run is done', async () => (await last())?.state === 'done')
    const { entries, transfers, wallets } = await verifyLedger(database.db)
    expect(await last()).toMatchObject({ entries, transfers, wallets, differences: 0, shown: [], attempts: 1 })
    await database.owner.script('update entry set amount = amount + 1 where line = 1')
    await runs().begin(program_id, by)
    expect(await last()).toMatchObject({ expected_entries: entries })
    await waitFor('the run is done', async () => (await last())?.state === 'done')
    await stop()
    const broken = await last()
    expect(broken?.differences).toBeGreaterThan(1)
    expect(broken?.shown?.map(({ check }) => check)).toContain('transfer_sum')
    await database.owner.script('update entry set amount = amount - 1 where line = 1')
  })

  it('is cancelled on demand while it runs, and at once before a worker takes it', async () => {
    const { program_id } = ledger
    const { run_uuid } = await runs().begin(program_id, by)
    expect(await runs().cancel(program_id, run_uuid, by)).toMatchObject({ state: 'cancelled', cancelled_by: by.name })
    const begun = Promise.withResolvers<void>()
    const verify: typeof verifyLedger = async (_, { signal, progress } = {}) => {
      progress?.({ transfers: 5, entries: 10, wallets: 0 }, 'transfers')
      begun.resolve()
      await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      throw new Error('not cancelled')
    }
    const stop = startLedgerRuns({ db: database.db, log, poll_ms: 20, verify })
    const running = await runs().begin(program_id, by)
    await begun.promise
    await waitFor('the run has progress', async () => (await last())?.entries === 10)
    expect(await last()).toMatchObject({ state: 'running', step: 'transfers' })
    expect(await runs().cancel(program_id, running.run_uuid, by)).toMatchObject({ state: 'running' })
    await waitFor('the run is cancelled', async () => (await last())?.state === 'cancelled')
    await stop()
  })

  it('goes to another worker when its own stops or dies, and fails after three deaths', async () => {
    const { program_id } = ledger
    const begun = Promise.withResolvers<void>()
    const hanging: typeof verifyLedger = async (_, { signal } = {}) => {
      begun.resolve()
      await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      throw new Error('not stopped')
    }
    await runs().begin(program_id, by)
    const stop = startLedgerRuns({ db: database.db, log, poll_ms: 20, verify: hanging })
    await begun.promise
    await stop()
    expect(await last()).toMatchObject({ state: 'waiting', attempts: 0 })
    const dies = {
      text: `update ledger_run set state = 'running', attempts = 3, leased_until = $1 where ended_at is null`,
    }
    await database.owner.run({ ...dies, values: [new Date(Date.now() - 1)] })
    const next = startLedgerRuns({ db: database.db, log, poll_ms: 20 })
    await waitFor('the run ends', async () => (await last())?.ended_at !== null)
    await next()
    expect(await last()).toMatchObject({ state: 'failed', error: expect.stringContaining('three times') })
  })
})
