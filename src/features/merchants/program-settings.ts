import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import { type Actor, changedFields, withoutUnchanged } from '../../domain/audit.ts'
import { type Day, dayOf } from '../../domain/day.ts'
import { type FieldError, refuseFields } from '../../domain/failures.ts'
import type { MicroSarPerPoint } from '../../domain/points.ts'
import { type TwoPersonRule, weakeningOf } from '../../domain/proposal.ts'
import {
  max_rate_days_ahead,
  max_waiting_rates,
  type Rate,
  type RateRefused,
  rateOn,
  refuseRate,
} from '../../domain/rates.ts'
import type { ProposalRow } from '../proposals/queries.ts'
import { type ProposalExecutor, propose } from '../proposals/service.ts'
import {
  findProgramNumbered,
  lockProgram,
  type ProgramChanges,
  type ProgramRow,
  updateProgram,
} from './program-queries.ts'
import { writeRate } from './rate-queries.ts'

/** What changes of a program. */
export interface ProgramChange {
  readonly changes?: ProgramChanges
  /** What a point is worth, from today or from a later day on. */
  readonly rate?: { readonly micro_sar_per_point: MicroSarPerPoint; readonly begins_on?: Day | undefined } | undefined
  readonly now: Date
  readonly by?: Actor | undefined
  /** Runs under the program's lock, with the program as it is; throws to refuse. */
  readonly check?: (was: ProgramRow) => void
  readonly beforeCommit?: BeforeCommit<ChangedProgram> | undefined
}

/** A program after a change, and what of the change waits for a second person. */
export interface ChangedProgram {
  readonly program: ProgramRow
  readonly proposals: readonly ProposalRow[]
}

/** How operators read and change programs in the dashboard. */
export interface ProgramSettings {
  /** Null when the name is taken. */
  create(name: string, by: Actor): Promise<ProgramRow | null>
  read(program_id: number): Promise<ProgramRow>
  change(program_id: number, change: ProgramChange): Promise<ChangedProgram>
}

/** Proposes in the name of the service itself. */
const nobody: Actor = { source: 'command', name: 'nuqta' }

/**
 * Changes settings and the rate of a program. What needs a second person is only proposed. docs/spec/two-people.md
 * @throws DomainError `validation` of `begins_on`, `proposals_full`
 */
export function changeProgram(db: Database, program_id: number, change: ProgramChange): Promise<ChangedProgram> {
  const { changes = {}, rate, now, by, check, beforeCommit } = change
  return db.transaction(async (tx) => {
    const was = await lockedProgram(tx, program_id)
    check?.(was)
    const weakening = weakeningOf(was, changes)
    const direct = Object.fromEntries(Object.entries(changes).filter(([name]) => !(name in weakening)))
    if (Object.keys(direct).length > 0) applyChanges(tx, was, direct, { now, by })
    const current = { ...was, ...direct }
    const proposing = { program_id, by: by ?? nobody, now }
    const proposals: ProposalRow[] = []
    if (Object.keys(weakening).length > 0) {
      const asked = { kind: 'program.set', payload: weakening, facts: ruleOf(current) } as const
      proposals.push(await propose(tx, { ...proposing, ...asked }))
    }
    if (rate !== undefined) {
      const whole = { begins_on: rate.begins_on ?? dayOf(now), micro_sar_per_point: rate.micro_sar_per_point }
      checkRate(was, whole, now)
      if (current.two_person_rates) {
        const facts = rateOn(was.rates, whole.begins_on)
        proposals.push(await propose(tx, { ...proposing, kind: 'program.rate', payload: whole, facts }))
      } else applyRate(tx, was, whole, { now, by })
    }
    const changed = { program: await lockedProgram(tx, program_id), proposals }
    await beforeCommit?.(tx, changed)
    return changed
  })
}

interface How {
  readonly now: Date
  readonly by: Actor | undefined
}

/** Locks a program, then reads it with its rates: another change may have been waited for. */
async function lockedProgram(tx: Transaction, program_id: number): Promise<ProgramRow> {
  void tx.one(lockProgram(program_id))
  const program = await tx.one(findProgramNumbered(program_id))
  if (program === undefined) throw new Error('a program has disappeared')
  return program
}

function applyChanges(tx: Transaction, was: ProgramRow, changes: ProgramChanges, { now, by }: How): void {
  const { program_id } = was
  void tx.run(updateProgram(program_id, changes, now))
  const changed = changedFields({ ...was }, changes)
  audit(tx, by, withoutUnchanged([{ program_id, action: 'program.set', object: `program:${program_id}`, ...changed }]))
}

function applyRate(tx: Transaction, { program_id, rates }: ProgramRow, rate: Rate, { now, by }: How): void {
  void tx.run(writeRate(program_id, rate, now))
  const before = { micro_sar_per_point: rateOn(rates, rate.begins_on).micro_sar_per_point }
  audit(tx, by, [{ program_id, action: 'program.rate', object: `program:${program_id}`, before, after: rate }])
}

const refusals: Readonly<Record<RateRefused, Omit<FieldError, 'field'>>> = {
  past: { rule: 'day_past' },
  far: { rule: 'days_ahead', limit: max_rate_days_ahead },
  many: { rule: 'rates_waiting', limit: max_waiting_rates },
}

/** docs/spec/points-and-money.md#rate-days */
function checkRate({ rates }: ProgramRow, { begins_on }: Rate, now: Date): void {
  const refused = refuseRate(rates, begins_on, now)
  if (refused !== null) refuseFields({ field: 'begins_on', ...refusals[refused] })
}

function ruleOf({
  two_person_rates,
  two_person_settlements,
  two_person_adjustments_over,
}: TwoPersonRule): TwoPersonRule {
  return { two_person_rates, two_person_settlements, two_person_adjustments_over }
}

/** A new rate, confirmed by a second person. */
export const rateExecutor: ProposalExecutor = {
  async facts(tx, { program_id, payload }) {
    const { rates } = await lockedProgram(tx, program_id)
    return rateOn(rates, (payload as Rate).begins_on)
  },
  async execute(tx, { program_id, payload }, how) {
    const was = await lockedProgram(tx, program_id)
    checkRate(was, payload as Rate, how.now)
    applyRate(tx, was, payload as Rate, how)
  },
}

/** A weaker rule of two people, confirmed by a second person. */
export const ruleExecutor: ProposalExecutor = {
  facts: async (tx, { program_id }) => ruleOf(await lockedProgram(tx, program_id)),
  async execute(tx, { program_id, payload }, how) {
    applyChanges(tx, await lockedProgram(tx, program_id), payload, how)
  },
}
