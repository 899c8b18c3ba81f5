import { beforeEach, describe, expect, it } from 'vitest'
import { createBudget } from '../../../src/app/services.ts'
import { createSendInvitations } from '../../../src/features/customers/invitations.ts'
import { createEarn } from '../../../src/features/earning/service.ts'
import { logMessagesUsed, type MessageBudget } from '../../../src/features/limits/message-budget.ts'
import { purgeCounters } from '../../../src/features/limits/service.ts'
import { OffsetClock } from '../../../src/lib/clock.ts'
import { createSecretBox } from '../../../src/lib/secrets.ts'
import { createMessageMetrics } from '../../../src/observability/feature-metrics.ts'
import { createLog } from '../../../src/observability/log.ts'
import { createMetrics } from '../../../src/observability/metrics.ts'
import type { SmsOutcome, SmsSender } from '../../../src/providers/sms/port.ts'
import { sandboxSms } from '../../../src/providers/sms/sandbox.ts'
import { defaults } from '../../support/api.ts'
import { resetLimits } from '../../support/checkout-stage.ts'
import { testDatabase } from '../../support/database.ts'
import { earningMerchants, earningOf, freshPhone, inProgram, TestClock } from '../../support/earnings.ts'
import { type BudgetOptions, budgetOn, keptMessages } from '../../support/messages.ts'

// The message budget: its parts, its warnings, and invitations that must wait. docs/decisions/0022-limits.md

const database = testDatabase()
beforeEach(() => resetLimits(database))

let asked = 0

/** Asks for codes from this many unknown browsers, each with its own address; gives how many are admitted. */
async function admitCodes(budget: MessageBudget, count: number, program_id = 1): Promise<number> {
  let admitted = 0
  for (let index = 0; index < count; index += 1) {
    asked += 1
    const ask = { program_id, phone: freshPhone(), client_address: `203.0.${asked % 99}.${asked % 256}`, known: false }
    if ((await budget.admitCode(ask)).admitted) admitted += 1
  }
  return admitted
}

/** A merchant with due invitations, in its own program, which invites unknown phones. */
async function merchantWith(invitations: number) {
  const [shop] = await earningMerchants(database.db, 1)
  if (shop === undefined) throw new Error('no merchant was made')
  const merchant = inProgram(shop, { activation: 'required' })
  const earn = createEarn({ db: database.db, clock: new TestClock('2026-02-01T09:00:00.000Z'), lock_window_s: 10 })
  for (let count = 0; count < invitations; count += 1) await earn(earningOf(merchant))
  return merchant
}

/** A worker with a clock that stands still until it is moved. */
function worker(options: BudgetOptions = {}, ...outcomes: readonly SmsOutcome[]) {
  let now_ms = Date.now() + 1_000
  const now = () => new Date(now_ms)
  const { sms, sent } = keptMessages(...outcomes)
  const budget = budgetOn(database.db, { now, ...options })
  const send = createSendInvitations({ db: database.db, sms, now, budget, public_url: 'https://points.example' })
  return { send, budget, sent, now, pass: (s: number) => (now_ms += s * 1_000) }
}

const waitingOf = ({ program_id }: { program_id: number }) =>
  database.owner.run<{ attempts: number; due_at: Date }>({
    text: `select attempts, due_at from sms_queue where program_id = $1 and state = 'due' order by due_at, sms_uuid`,
    values: [program_id],
  })

/** Leftover invitations, so that the tests leave nothing. */
const sendAll = () => worker().send()

describe('an operator', () => {
  it('is warned when half and nine tenths of an hour’s messages are sent, each once an hour', async () => {
    const lines: string[] = []
    const log = createLog({ level: 'warn', stream: { write: (line) => lines.push(line) } })
    let now_ms = Date.now()
    const options = { now: () => new Date(now_ms), onUsed: logMessagesUsed(log) }
    const budget = budgetOn(database.db, { bounds: { messages_per_hour: 10 }, ...options })
    const know = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        asked += 1
        const ask = { program_id: 1, phone: freshPhone(), client_address: `203.0.113.${asked % 256}`, known: true }
        expect((await budget.admitCode(ask)).admitted).toBe(true)
      }
    }
    await know(4)
    expect(lines).toEqual([])
    await know(4)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('half of the text messages that an hour may have are sent')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ used: 5, most: 10 })
    await know(2)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('nine tenths of the text messages')
    now_ms += 3_600_000
    await know(5)
    expect(lines).toHaveLength(3)
  })

  it('sees how many messages of each kind were sent, and how many may be', async () => {
    const budget = budgetOn(database.db, { bounds: { messages_per_hour: 100 } })
    await admitCodes(budget, 3)
    const of = { program_id: 1, merchant_id: 1, first: true, others_wait: false }
    await budget.admitInvitation({ ...of, phone: freshPhone() })
    expect(await budget.use()).toEqual({
      all: { used: 4, most: 100 },
      invitations: { used: 1, most: 25 },
      strangers: { used: 3, most: 50 },
    })
    const { registry } = createMetrics()
    createMessageMetrics(registry, budget.use)
    const text = await registry.metrics()
    expect(text).toContain('nuqta_sms_last_hour{part="all"} 4')
    expect(text).toContain('nuqta_sms_last_hour{part="codes of strangers"} 3')
    expect(text).toContain('nuqta_sms_per_hour{part="invitations"} 25')
  })
})

describe('invitations', () => {
  it('get a quarter of the budget, and codes go on', async () => {
    const merchant = await merchantWith(8)
    const { send, sent, budget, pass } = worker({ bounds: { messages_per_hour: 20 } })
    expect(await send()).toBe(5)
    expect(await admitCodes(budget, 3)).toBe(3)
    pass(3_599)
    expect(await send()).toBe(0)
    pass(61)
    expect(await send()).toBe(3)
    expect(new Set(sent.map(({ phone }) => phone)).size).toBe(8)
    expect(await waitingOf(merchant)).toEqual([])
  })

  it('of one program get half of that while another program’s wait, which are sent at once', async () => {
    const [busy, quiet] = [await merchantWith(20), await merchantWith(3)]
    const { send, sent } = worker({ bounds: { messages_per_hour: 40 } })
    await send()
    expect(await waitingOf(quiet)).toEqual([])
    expect(sent).toHaveLength(3 + 20 - (await waitingOf(busy)).length)
    expect(sent.length).toBeLessThanOrEqual(10)
    await resetLimits(database)
    expect(await sendLater()).toBe(0)
  })

  it('that a limit postpones are not lost and count no attempt; they are sent at the allowed rate', async () => {
    const merchant = await merchantWith(11)
    const bounds = { invitations_per_minute: 3, invitations_per_hour: 7 }
    const { send, sent, now, pass } = worker({ bounds })
    await send()
    expect(sent).toHaveLength(3)
    const left = await waitingOf(merchant)
    expect(left.map(({ attempts }) => attempts)).toEqual(Array(8).fill(0))
    const waits = left.map(({ due_at }) => (due_at.getTime() - now().getTime()) / 60_000)
    expect(waits[0]).toBe(1)
    expect(Math.max(...waits)).toBeLessThanOrEqual(3)
    for (let minutes = 1; minutes <= 3; minutes += 1) {
      pass(60)
      await send()
    }
    expect(sent).toHaveLength(7)
    pass(3_600)
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await send()
      pass(60)
    }
    expect(sent).toHaveLength(11)
    expect(new Set(sent.map(({ phone }) => phone)).size).toBe(11)
  })

  it('go to a phone of a program once a day', async () => {
    const merchant = await merchantWith(1)
    const { send, sent, pass } = worker()
    await send()
    // As if the customer was deleted and created again.
    const again = `update sms_queue set state = 'due', ended_at = null, attempts = 0, due_at = $2 where program_id = $1`
    await database.owner.run({ text: again, values: [merchant.program_id, new Date()] })
    pass(82_800)
    await send()
    expect(sent).toHaveLength(1)
    pass(3_600)
    await send()
    expect(sent).toHaveLength(2)
  })

  it('that the provider refuses do not use the budget', async () => {
    await merchantWith(4)
    const { send, budget } = worker({}, { kind: 'refused', detail: 'HTTP 400' })
    await send()
    expect((await budget.use()).all.used).toBe(0)
    await sendLater()
  })
})

/** Sends the waiting invitations as if a day had passed; gives the rest. */
async function sendLater(): Promise<number> {
  await resetLimits(database)
  const { send, pass } = worker()
  pass(90_000)
  await send()
  await sendAll()
  const left = await database.owner.run({ text: `select from sms_queue where state = 'due'`, values: [] })
  return left.length
}

describe('the clock of the limits', () => {
  const on = (sms: SmsSender, clock: TestClock | OffsetClock) =>
    createBudget(database.db, { environment: 'sandbox', clock, sms, secrets: createSecretBox(defaults.secret_key) })

  async function refusedThenAfter(sms: SmsSender): Promise<(string | boolean)[]> {
    const clock = new TestClock('2026-02-01T09:00:00.000Z')
    const budget = on(sms, clock)
    const ask = { program_id: 1, phone: freshPhone(), client_address: '198.51.100.3', known: false }
    for (let count = 0; count < 3; count += 1) await budget.admitCode(ask)
    const before = (await budget.admitCode(ask)).admitted
    clock.advance(3_600)
    return [before, (await budget.admitCode(ask)).admitted]
  }

  it('is the business clock only in a sandbox that sends no messages', async () => {
    expect(await refusedThenAfter(sandboxSms)).toEqual([false, true])
    expect(await refusedThenAfter({ ...sandboxSms, reaches_phones: true })).toEqual([false, false])
  })

  it('is translated: a refusal says when to retry by the machine’s clock', async () => {
    const clock = new OffsetClock()
    clock.setOffset(45 * 86_400)
    const budget = on(sandboxSms, clock)
    const ask = { program_id: 1, phone: freshPhone(), client_address: '198.51.100.4', known: false }
    for (let count = 0; count < 3; count += 1) await budget.admitCode(ask)
    const refused = await budget.admitCode(ask)
    if (refused.admitted) throw new Error('a fourth code was admitted')
    expect(Math.round((refused.retry_at.getTime() - Date.now()) / 3_600_000)).toBe(1)
  })
})

it('no count is kept for more than two days', async () => {
  await admitCodes(budgetOn(database.db), 5)
  expect(await purgeCounters(database.db, new Date(Date.now() + 2 * 86_400_000))).toBeGreaterThan(10)
  expect(await database.owner.run({ text: 'select from limit_counter', values: [] })).toEqual([])
})
