import { describe, expect, it } from 'vitest'
import { parsePercent, toPercent } from '../../src/domain/fees.ts'
import type { Uuid } from '../../src/domain/ids.ts'
import {
  adjustmentNeedsTwo,
  type Decidable,
  hasRoom,
  type ProposerNow,
  proposal_ms,
  refuseConfirm,
  type SignedIn,
  stateAt,
  type TwoPersonRule,
  weakeningOf,
} from '../../src/domain/proposal.ts'

const rule: TwoPersonRule = { two_person_rates: true, two_person_settlements: false, two_person_adjustments_over: 500 }
const off: TwoPersonRule = { two_person_rates: false, two_person_settlements: false, two_person_adjustments_over: null }

describe('an adjustment', () => {
  it.each([
    [rule, 500, false],
    [rule, 501, true],
    [rule, -501, true],
    [{ ...rule, two_person_adjustments_over: 0 }, 1, true],
    [off, 1_000_000, false],
  ])('%# of %o needs two: %s', (asked, points, needs) => {
    expect(adjustmentNeedsTwo(asked, points)).toBe(needs)
  })
})

describe('a change of the rule needs two people where it weakens it', () => {
  it.each([
    ['off', { two_person_rates: false }, { two_person_rates: false }],
    ['on', { two_person_settlements: true }, {}],
    ['the same', { ...rule }, {}],
    ['a higher limit', { two_person_adjustments_over: 501 }, { two_person_adjustments_over: 501 }],
    ['no limit', { two_person_adjustments_over: null }, { two_person_adjustments_over: null }],
    ['a lower limit', { two_person_adjustments_over: 0 }, {}],
    ['some of it', { two_person_rates: false, two_person_settlements: true }, { two_person_rates: false }],
  ])('%s', (_, change, weaker) => {
    expect(weakeningOf(rule, change)).toEqual(weaker)
    expect(weakeningOf(off, change)).toEqual({})
  })
})

describe('proposals that wait', () => {
  it.each([
    // program, merchants, merchant; room at the merchant, room elsewhere
    [0, 0, 0, true, true],
    [19, 19, 19, true, true],
    [20, 20, 20, false, true],
    [79, 79, 0, true, true],
    [80, 80, 0, false, true],
    [99, 79, 19, true, true],
    [100, 0, 0, false, false],
  ])(
    '%i, of them %i at merchants and %i at this one, leave room: %s, %s',
    (program, merchants, merchant, here, elsewhere) => {
      const open = { program, merchants, merchant }
      expect([hasRoom(open, { at_merchant: true }), hasRoom(open, { at_merchant: false })]).toEqual([here, elsewhere])
    },
  )
})

describe('a proposal', () => {
  const now = new Date('2026-11-22T10:00:00Z')
  const [sara, omar] = ['0193e7a1-0000-7000-8000-000000000001', '0193e7a1-0000-7000-8000-000000000002'] as Uuid[]
  const open: Decidable = {
    ...{ state: 'open', expires_at: new Date(now.getTime() + 1) },
    ...{ proposed_by: 'sara@points.example', proposed_uuid: sara ?? null },
  }
  const by: SignedIn = { staff_uuid: omar as Uuid, name: 'omar@points.example', is_operator: true, disabled: false }
  const proposer: ProposerNow = { disabled: false, standing: 'operator', suspended: false }
  it.each<[why: string, proposal: Partial<Decidable>, person: Partial<SignedIn>, refused: string | null]>([
    ['another operator', {}, {}, null],
    ['whoever proposed it', {}, { staff_uuid: sara as Uuid }, 'own'],
    [
      'whoever gave their address to a command',
      { proposed_uuid: null, proposed_by: ' Omar@Points.example' },
      {},
      'own',
    ],
    ['an operator, of what a command proposed', { proposed_uuid: null, proposed_by: 'root@host' }, {}, null],
    ['staff of a merchant', {}, { is_operator: false }, 'not operator'],
    ['somebody who is kept out', {}, { disabled: true }, 'not operator'],
    ['too late', { expires_at: now }, {}, 'expired'],
    ['twice', { state: 'confirmed' }, {}, 'ended'],
    ['after a rejection', { state: 'rejected' }, {}, 'ended'],
  ])('may be confirmed by %s or not', (_, proposal, person, refused) => {
    const asked = { by: { ...by, ...person }, proposer: proposal.proposed_uuid === null ? null : proposer }
    expect(refuseConfirm({ ...open, ...proposal }, asked, now)).toBe(refused)
  })

  it('waits seven days, and not while its proposer is disabled, gone, or of a suspended merchant', () => {
    expect(proposal_ms).toBe(7 * 24 * 3_600_000)
    expect([stateAt(open, now), stateAt(open, open.expires_at)]).toEqual(['open', 'expired'])
    const refused = (of: ProposerNow | null) => refuseConfirm(open, { by, proposer: of }, now)
    expect([refused({ ...proposer, disabled: true }), refused(null)]).toEqual(['gone', 'gone'])
    const standings = ['operator', 'owner', 'manager', 'support', 'read_only', null] as const
    expect(standings.map((standing) => refused({ ...proposer, standing }))).toEqual([
      ...[null, null, null, null],
      ...['gone', 'gone'],
    ])
    const of_suspended = standings.map((standing) => refused({ ...proposer, standing, suspended: true }))
    expect(of_suspended).toEqual([null, 'gone', 'gone', 'gone', 'gone', 'gone'])
  })
})

it('a percentage has two decimals and is between 0 and 100', () => {
  expect([0, 2.5, 100, '0.01', 100.01, -1, 0.001, 'x'].map(parsePercent)).toEqual([
    ...[0, 250, 10_000, 1],
    ...[null, null, null, null],
  ])
  expect(toPercent(250)).toBe(2.5)
})
