import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Merchant } from '../../../src/domain/merchant.ts'
import type { Phone } from '../../../src/domain/phone.ts'
import { asPoints } from '../../../src/domain/points.ts'
import { max_open_proposals } from '../../../src/domain/proposal.ts'
import { after, day_ms } from '../../../src/domain/spans.ts'
import { changeProgram } from '../../../src/features/merchants/program-settings.ts'
import { updateStaff } from '../../../src/features/staff/queries.ts'
import { beginSession } from '../../../src/features/staff/sessions.ts'
import { adjustWallet } from '../../../src/features/wallet/adjust.ts'
import { dataOf } from '../../http/client.ts'
import type { App } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { TestClock } from '../../support/earnings.ts'
import { customerWith, pointsOf } from '../../support/orders.ts'
import { startTwoPersonShop } from '../../support/proposals.ts'
import { makePerson, type Person, staffBrowser } from '../../support/staff.ts'

// Two-person rule: the first person only proposes a protected change. It is made when another operator, who is signed in,
// confirms it. These tests try every way round the second person. docs/spec/two-people.md

const database = testDatabase()
const clock = new TestClock(after(new Date(), day_ms))
let app: App<TestClock>
let merchant: Merchant
let sara: Person
let omar: Person

beforeAll(async () => {
  const changes = { two_person_rates: true, two_person_adjustments_over: 500 }
  const started = await startTwoPersonShop(database, { clock, changes })
  ;({ app, merchant, proposer: sara, decider: omar } = started)
})
afterAll(() => app.stop())

type Data = Readonly<Record<string, unknown>>
const at = (path: string, program_id = merchant.program_id) => `/programs/${program_id}${path}`
const read = async (uuid: string): Promise<Data> => dataOf(await omar.call('GET', at(`/proposals/${uuid}`)))
const confirm = (by: Pick<Person, 'call'>, uuid: string, program_id?: number) =>
  by.call('POST', at(`/proposals/${uuid}/confirm`, program_id))

async function customerOf(phone: Phone): Promise<string> {
  const find = { text: 'select customer_id from customer where program_id = $1 and phone = $2' }
  const row = await database.db.one<{ customer_id: string }>({ ...find, values: [merchant.program_id, phone] })
  return row?.customer_id ?? ''
}

/** A customer with 100 points, to whom Sara gives 900 more. */
async function adjusting(by: Person = sara, points = 900) {
  const phone = await customerWith(database.db, merchant, { points: 100 })
  const path = `/merchants/${merchant.merchant_id}/customers/${await customerOf(phone)}/adjustments`
  const reply = await by.call('POST', path, { points, reason: 'A gift for the delay' })
  const { proposal, ...wallet } = dataOf(reply)
  return { phone, wallet, uuid: String((proposal as Data | null)?.['proposal_uuid'] ?? '') }
}

const balance = (phone: Phone) => pointsOf(database.db, merchant, phone)

async function audited(action: string): Promise<unknown[]> {
  const text = `select actor, action, object, after from audit where program_id = $1 and action = $2 order by audit_id desc`
  return database.owner.run({ text, values: [merchant.program_id, action] })
}

describe('a large adjustment', () => {
  it('waits for another operator, who makes it; the audit log names both', async () => {
    const { phone, wallet, uuid } = await adjusting()
    expect([wallet, await balance(phone)]).toEqual([{ posted: 100, held: 0, available: 100 }, [100, 0]])
    const proposed = await read(uuid)
    expect(proposed).toMatchObject({
      ...{ kind: 'wallet.adjust', state: 'open', proposed_by: sara.email, own: false, current: true },
      ...{ change: { points: 900 }, facts: { posted: 100 }, reason: 'A gift for the delay' },
    })
    const confirmed = await confirm(omar, uuid)
    expect([confirmed.status, dataOf(confirmed)]).toEqual([
      200,
      expect.objectContaining({ state: 'confirmed', decided_by: omar.email }),
    ])
    expect(await balance(phone)).toEqual([1_000, 0])
    const both = { proposed_by: sara.email }
    expect((await audited('wallet.adjust'))[0]).toMatchObject({ actor: omar.email, after: { posted: 1_000, ...both } })
    expect((await audited('proposal.confirm'))[0]).toMatchObject({ actor: omar.email, after: both })
    expect((await audited('proposal.make'))[0]).toMatchObject({ actor: sara.email, after: { points: 900 } })
    expect(JSON.stringify(await audited('proposal.make'))).not.toContain('A gift')
  })

  it('of a merchant’s staff waits as well, and a small one does not', async () => {
    const owner = await makePerson(app, { ...merchant, role: 'owner' })
    const large = await adjusting(owner, -501 + 1_002)
    expect(large.uuid).not.toBe('')
    expect((await confirm(owner, large.uuid)).status).toBe(403)
    const small = await adjusting(owner, 500)
    expect([small.uuid, await balance(small.phone)]).toEqual(['', [600, 0]])
    expect((await confirm(omar, large.uuid)).status).toBe(200)
    expect(await balance(large.phone)).toEqual([601, 0])
  })

  it('by a command waits for somebody who is signed in under another name', async () => {
    const phone = await customerWith(database.db, merchant, { points: 100 })
    const asked = { phone, typed: phone, points: asPoints(700), reason: 'A gift', program: merchant.program }
    const propose = async (as: string) =>
      (await adjustWallet(database.db, clock, { ...asked, by: { source: 'command', name: as } }))?.proposal_uuid ?? ''
    expect((await confirm(omar, await propose(omar.email.toUpperCase()))).status).toBe(403)
    expect(await balance(phone)).toEqual([100, 0])
    expect((await confirm(omar, await propose('root@server'))).status).toBe(200)
    expect(await balance(phone)).toEqual([800, 0])
  })
})

describe('nobody gets round the second person', () => {
  it('with a second session of their own', async () => {
    const { phone, uuid } = await adjusting()
    const visitor = { address: '127.0.0.2', user_agent: 'another browser' }
    const begin = { staff_uuid: sara.staff_uuid, method: 'passkey', visitor } as const
    const token = await database.db.transaction(async (tx) => beginSession(tx, begin, new Date()))
    for (const session of [sara, staffBrowser(app, token)]) {
      const { status, body } = await confirm(session, uuid)
      expect([status, body.message]).toEqual([403, 'You proposed this yourself. Somebody else has to confirm it.'])
    }
    expect([await balance(phone), (await read(uuid))['state']]).toEqual([[100, 0], 'open'])
  })

  it('by switching the rule off, or raising its limit, first', async () => {
    const settings = dataOf(await sara.call('GET', at('/settings')))
    const asked = { ...settings, two_person: { rates: false, settlements: true, adjustments_over: 1_000_000 } }
    const changed = dataOf(await sara.call('PATCH', at('/settings'), asked))
    // What makes it stricter counts at once.
    expect(changed['two_person']).toEqual({ rates: true, settlements: true, adjustments_over: 500 })
    const [waiting] = changed['proposals'] as Data[]
    const uuid = String(waiting?.['proposal_uuid'])
    expect(await read(uuid)).toMatchObject({
      ...{ kind: 'program.set', change: { two_person_rates: false, two_person_adjustments_over: 1_000_000 } },
    })
    expect((await confirm(sara, uuid)).status).toBe(403)
    expect((await adjusting()).uuid).not.toBe('')
    // The rule has become stricter since the proposal: it is no longer the rule that Omar would weaken.
    const stricter = { two_person_adjustments_over: 400 }
    await changeProgram(database.db, merchant.program_id, { changes: stricter, now: clock.now() })
    expect([(await confirm(omar, uuid)).status, (await read(uuid))['current']]).toEqual([409, false])
    const { proposals } = await changeProgram(database.db, merchant.program_id, {
      ...{ changes: { two_person_settlements: false, two_person_adjustments_over: 500 }, now: clock.now() },
      by: { source: 'command', name: 'root@server' },
    })
    expect((await confirm(omar, proposals[0]?.proposal_uuid ?? '')).status).toBe(200)
    expect(dataOf(await sara.call('GET', at('/settings')))['two_person']).toMatchObject({ adjustments_over: 500 })
  })

  it('through another program', async () => {
    const other = dataOf(await sara.call('POST', '/programs', { name: `Other of ${merchant.program_id}` }))
    const { phone, uuid } = await adjusting()
    const elsewhere = Number(other['program_id'])
    expect((await confirm(omar, uuid, elsewhere)).status).toBe(404)
    expect((await omar.call('GET', at(`/proposals/${uuid}`, elsewhere))).status).toBe(404)
    expect(await balance(phone)).toEqual([100, 0])
    expect((await sara.call('POST', '/programs', { name: `Other of ${merchant.program_id}` })).status).toBe(422)
  })

  it('as a former operator, or for a person who has been disabled since', async () => {
    const [leaving, kept_out] = [await makePerson(app, 'operator'), await makePerson(app, 'operator')]
    const change = (person: Person, changes: { is_operator?: boolean; disabled?: boolean }) =>
      database.db.run(updateStaff(person.staff_uuid, changes, new Date()))
    const first = await adjusting()
    // The request has read its session before: the service reads the person again under a lock.
    const { proposals } = app.services
    await change(leaving, { is_operator: false })
    const by = { source: 'dashboard', name: leaving.email, staff_uuid: leaving.staff_uuid } as const
    const asked = { program_id: merchant.program_id, proposal_uuid: first.uuid as never, by }
    await expect(proposals.confirm(asked)).rejects.toMatchObject({ failure: { kind: 'not_permitted' } })
    const second = await adjusting(kept_out)
    await change(kept_out, { disabled: true })
    expect((await confirm(omar, second.uuid)).status).toBe(409)
    expect([await balance(first.phone), await balance(second.phone)]).toEqual([
      [100, 0],
      [100, 0],
    ])
  })

  it('twice: of two who confirm at the same moment one makes the change', async () => {
    const noura = await makePerson(app, 'operator')
    const { phone, uuid } = await adjusting()
    const replies = await Promise.all([confirm(omar, uuid), confirm(noura, uuid), confirm(omar, uuid)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await balance(phone)).toEqual([1_000, 0])
  })
})

describe('a proposal', () => {
  it('is done as the first person saw it, or not at all', async () => {
    const { phone, uuid } = await adjusting()
    const other = { phone, typed: phone, points: asPoints(-50), reason: 'Given twice', program: merchant.program }
    await adjustWallet(database.db, clock, { ...other, by: { source: 'command', name: 'root@server' } })
    const refused = await confirm(omar, uuid)
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('has changed since')])
    expect([await balance(phone), (await read(uuid))['current']]).toEqual([[50, 0], false])
  })

  it('is rejected by any operator, its own proposer included, once', async () => {
    const { phone, uuid } = await adjusting()
    const reject = () => sara.call('POST', at(`/proposals/${uuid}/reject`))
    expect(dataOf(await reject())).toMatchObject({ state: 'rejected', decided_by: sara.email, own: true })
    expect([(await reject()).status, (await confirm(omar, uuid)).status]).toEqual([409, 409])
    expect(await balance(phone)).toEqual([100, 0])
  })

  it('of a rate gives the day on which it begins, and is refused when that day is over', async () => {
    const rates = async () => dataOf(await sara.call('GET', at('/rates')))
    const { today, rates: before } = await rates()
    const asked = { begins_on: today, sar_per_point: 0.02 }
    const waiting = async () => (dataOf(await sara.call('POST', at('/rates'), asked))['proposals'] as Data[])[0] ?? {}
    const [first, second] = [await waiting(), await waiting()]
    expect(await rates()).toMatchObject({ sar_per_point: 0.005, rates: before })
    expect((await confirm(omar, String(first['proposal_uuid']))).status).toBe(200)
    expect(await rates()).toMatchObject({ sar_per_point: 0.02 })
    expect((await audited('program.rate'))[0]).toMatchObject({ actor: omar.email, after: { proposed_by: sara.email } })
    // The second was proposed when another rate was in force.
    expect((await confirm(omar, String(second['proposal_uuid']))).status).toBe(409)
    const third = await waiting()
    clock.advance(86_400)
    expect((await confirm(omar, String(third['proposal_uuid']))).status).toBe(422)
    const past = await sara.call('POST', at('/rates'), asked)
    expect([past.status, past.body.errors]).toEqual([422, { begins_on: [expect.stringContaining('today or later')] }])
  })

  it('expires after seven days, and does not count towards the most that may wait', async () => {
    const { phone, uuid } = await adjusting()
    const open = async () => (await omar.call('GET', at('/proposals?state=open&limit=100'))).body.data as Data[]
    const make = async () =>
      (await sara.call('POST', at('/rates'), { begins_on: '2026-01-01', sar_per_point: 1 })).status
    expect(await make()).toBe(422)
    const missing = max_open_proposals.program - (await open()).filter(({ state }) => state === 'open').length
    const insert = {
      text: `insert into proposal (program_id, proposal_uuid, kind, state, payload, facts, proposed_by, expires_at, created_at)
        select $1, gen_random_uuid(), 'settlement.close', 'open', '{}', '{}', 'root', $2, $2 from generate_series(1, $3)`,
      values: [merchant.program_id, new Date(clock.now().getTime() + 3_600_000), missing],
    }
    await database.owner.run(insert)
    const phoneOf = await customerWith(database.db, merchant, { points: 100 })
    const path = `/merchants/${merchant.merchant_id}/customers/${await customerOf(phoneOf)}/adjustments`
    const full = await sara.call('POST', path, { points: 900, reason: 'One too many' })
    expect([full.status, await balance(phoneOf)]).toEqual([409, [100, 0]])
    clock.advance(7 * 86_400)
    expect([(await confirm(omar, uuid)).status, (await read(uuid))['state']]).toEqual([409, 'expired'])
    expect((await adjusting()).uuid).not.toBe('')
    expect(await balance(phone)).toEqual([100, 0])
    expect((await open()).filter(({ state }) => state === 'open')).toHaveLength(1)
  })
})
