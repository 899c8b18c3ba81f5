import { isDeepStrictEqual } from 'node:util'
import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import { purgeEverywhere } from '../../db/programs.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import type { Actor, AuditAction } from '../../domain/audit.ts'
import { DomainError, type Failure } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import {
  type ConfirmRefused,
  hasRoom,
  isProposerGone,
  type ProposalKind,
  type ProposerNow,
  proposal_ms,
  refuseConfirm,
  type SignedIn,
  stateAt,
} from '../../domain/proposal.ts'
import { after } from '../../domain/spans.ts'
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import {
  countOpen,
  decideProposal,
  deleteEndedProposals,
  expireProposals,
  findProposal,
  findProposals,
  insertProposal,
  lockPeople,
  lockProgramOf,
  lockProposal,
  lockRole,
  type ProposalPage,
  type ProposalRow,
} from './queries.ts'

/** A merchant whose staff have proposed something. */
export interface ProposingMerchant {
  readonly merchant_id: number
  readonly suspended: boolean
}

/** How confirmed proposals of one kind are done. Each feature makes its own; `src/app/services.ts` lists them. */
export interface ProposalExecutor {
  /**
   * Reads the facts of the proposal under the locks of `execute`: they must equal those read when the change was proposed.
   * Null if the change cannot be made any more.
   */
  readonly facts: (tx: Transaction, proposal: ProposalRow) => Promise<object | null>
  /** Makes the change in the transaction that records the confirmation. `by` is who confirms, and names who proposed. */
  readonly execute: (
    tx: Transaction,
    proposal: ProposalRow,
    how: { readonly now: Date; readonly by: Actor },
  ) => Promise<void>
  /** Locks the merchant whose staff proposed it, until the transaction ends. Without it, only operators propose. */
  readonly lockMerchant?: (tx: Transaction, proposal: ProposalRow) => Promise<ProposingMerchant | undefined>
}

export type ProposalExecutors = Readonly<Partial<Record<ProposalKind, ProposalExecutor>>>

/** What somebody proposes. */
export interface Proposing extends Pick<ProposalRow, 'program_id' | 'kind' | 'payload' | 'facts'> {
  readonly customer_id?: Uuid
  readonly reason?: string
  /** The merchant whose staff propose it, unless an operator does. */
  readonly merchant_id?: number | undefined
  readonly by: Actor
  readonly now: Date
}

/**
 * Writes a proposal and records it, in the transaction that read its facts.
 * @throws DomainError `proposals_full`
 */
export async function propose(tx: Transaction, asked: Proposing): Promise<ProposalRow> {
  const { program_id, kind, payload, facts, customer_id = null, reason = null, by, now, merchant_id = null } = asked
  await tx.one(lockProgramOf(program_id))
  void tx.run(expireProposals(program_id, now))
  const open = await tx.one(countOpen(program_id, merchant_id, now))
  if (open === undefined || !hasRoom(open, { at_merchant: merchant_id !== null }))
    throw new DomainError({ kind: 'proposals_full' })
  const fresh = {
    ...{ program_id, proposal_uuid: newUuid(), kind, payload, facts, customer_id, reason },
    ...{ proposed_by: by.name, proposed_uuid: by.staff_uuid ?? null },
    ...{ expires_at: after(now, proposal_ms), created_at: now },
  }
  void tx.run(insertProposal(fresh))
  record(tx, by, 'proposal.make', fresh)
  return { ...fresh, state: 'open', decided_by: null, decided_at: null }
}

/** A proposal, and whether its facts are unchanged and whoever proposed it still could. */
export interface ProposalNow {
  readonly proposal: ProposalRow
  readonly current: boolean
}

interface Deciding {
  readonly program_id: number
  readonly proposal_uuid: Uuid
  /** Somebody who is signed in: commands cannot decide. */
  readonly by: Actor & { readonly staff_uuid: Uuid }
}

export interface Proposals {
  /** The newest first, one more than a page has. */
  list(program_id: number, page: ProposalPage): Promise<ProposalRow[]>
  /** How many wait: 100 at most. */
  countOpen(program_id: number): Promise<number>
  /** @throws DomainError `not_found` */
  read(program_id: number, proposal_uuid: Uuid): Promise<ProposalNow>
  /**
   * Makes the proposed change.
   * @throws DomainError `not_found`, `not_permitted`, `proposal_own`, `proposal_ended`, `proposal_stale`
   */
  confirm(asked: Deciding, beforeCommit?: BeforeCommit<ProposalRow>): Promise<ProposalRow>
  /** Ends a proposal, by any operator. @throws DomainError `not_found`, `proposal_ended` */
  reject(asked: Deciding, beforeCommit?: BeforeCommit<ProposalRow>): Promise<ProposalRow>
}

interface ProposalParts {
  readonly db: Database
  readonly clock: Clock
  readonly executors: ProposalExecutors
}

/** A page of a program's proposals, the newest first. */
export function listProposals(db: Database, program_id: number, page: ProposalPage): Promise<ProposalRow[]> {
  return db.run(findProposals(program_id, page))
}

export function readProposal(db: Database, program_id: number, proposal_uuid: Uuid): Promise<ProposalRow | undefined> {
  return db.one(findProposal(program_id, proposal_uuid))
}

/** Deletes proposals whose time was over before an instant of the business clock; gives their number. */
export function purgeProposals(db: Database, before: Date, batch?: number): Promise<number> {
  return purgeEverywhere(db, (program_id, count) => deleteEndedProposals(program_id, before, count), batch)
}

/** docs/spec/two-people.md */
export function createProposals({ db, clock, executors }: ProposalParts): Proposals {
  return {
    list: (program_id, page) => listProposals(db, program_id, page),
    countOpen: async (program_id) => (await db.one(countOpen(program_id, null, clock.now())))?.program ?? 0,
    read: (program_id, proposal_uuid) =>
      db.transaction(async (tx) => {
        const proposal = present(await tx.one(findProposal(program_id, proposal_uuid)))
        const stands = !isProposerGone(proposal, await proposerOf(tx, proposal, executors))
        return { proposal, current: stands && (await isCurrent(tx, proposal, executors)) }
      }),
    confirm: (asked, beforeCommit) =>
      db.transaction(async (tx) => {
        const proposal = present(await tx.one(lockProposal(asked.program_id, asked.proposal_uuid)))
        const executor = executors[proposal.kind]
        await checkPeople(tx, proposal, { staff_uuid: asked.by.staff_uuid, executors }, clock.now())
        if (executor === undefined || !(await isCurrent(tx, proposal, executors)))
          throw new DomainError({ kind: 'proposal_stale' })
        // Read the clock after the locks: what a wallet got while it was waited for came before.
        const now = clock.now()
        const confirmed = decide(tx, proposal, { ...asked, state: 'confirmed', now })
        await executor.execute(tx, proposal, { now, by: { ...asked.by, proposed_by: proposal.proposed_by } })
        await beforeCommit?.(tx, confirmed)
        return confirmed
      }),
    reject: (asked, beforeCommit) =>
      db.transaction(async (tx) => {
        const proposal = present(await tx.one(lockProposal(asked.program_id, asked.proposal_uuid)))
        const now = clock.now()
        if (stateAt(proposal, now) !== 'open') throw new DomainError({ kind: 'proposal_ended' })
        const decided = decide(tx, proposal, { ...asked, state: 'rejected', now })
        await beforeCommit?.(tx, decided)
        return decided
      }),
  }
}

function present(proposal: ProposalRow | undefined): ProposalRow {
  if (proposal === undefined) throw new DomainError({ kind: 'not_found' })
  return proposal
}

async function isCurrent(tx: Transaction, proposal: ProposalRow, executors: ProposalExecutors): Promise<boolean> {
  const facts = (await executors[proposal.kind]?.facts(tx, proposal)) ?? null
  return facts !== null && areFacts(facts, proposal.facts)
}

/** Whether facts are those that were stored with a proposal. */
export function areFacts(facts: object, stored: object): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(facts)), stored)
}

const refusals: Readonly<Record<ConfirmRefused, Failure>> = {
  'not operator': { kind: 'not_permitted' },
  own: { kind: 'proposal_own' },
  ended: { kind: 'proposal_ended' },
  expired: { kind: 'proposal_ended' },
  gone: { kind: 'proposal_stale' },
}

/** Reads both people under a lock: a session may be older than what they may do now. */
async function checkPeople(
  tx: Transaction,
  proposal: ProposalRow,
  { staff_uuid, executors }: { readonly staff_uuid: Uuid; readonly executors: ProposalExecutors },
  now: Date,
): Promise<void> {
  const { proposed_uuid } = proposal
  const people = await tx.run(lockPeople(proposed_uuid === null ? [staff_uuid] : [staff_uuid, proposed_uuid]))
  const by = people.find((one) => one.staff_uuid === staff_uuid)
  if (by === undefined) throw new DomainError({ kind: 'not_permitted' })
  const person = people.find((one) => one.staff_uuid === proposed_uuid)
  const proposer = person === undefined ? null : await proposerNow(tx, person, { proposal, executors })
  const refused = refuseConfirm(proposal, { by, proposer }, now)
  if (refused !== null) throw new DomainError(refusals[refused])
}

/** Who proposed a change, as they are now; null for a command, and for somebody who is not there any more. */
async function proposerOf(
  tx: Transaction,
  proposal: ProposalRow,
  executors: ProposalExecutors,
): Promise<ProposerNow | null> {
  const { proposed_uuid } = proposal
  const person = proposed_uuid === null ? undefined : await tx.one(lockPeople([proposed_uuid]))
  return person === undefined ? null : proposerNow(tx, person, { proposal, executors })
}

async function proposerNow(
  tx: Transaction,
  { staff_uuid, is_operator, disabled }: SignedIn,
  { proposal, executors }: { readonly proposal: ProposalRow; readonly executors: ProposalExecutors },
): Promise<ProposerNow> {
  if (is_operator) return { disabled, standing: 'operator', suspended: false }
  const { program_id, kind } = proposal
  const merchant = await executors[kind]?.lockMerchant?.(tx, proposal)
  if (merchant === undefined) return { disabled, standing: null, suspended: false }
  const { merchant_id, suspended } = merchant
  const member = await tx.one(lockRole(program_id, merchant_id, staff_uuid))
  return { disabled, standing: member?.role ?? null, suspended }
}

function decide(
  tx: Transaction,
  proposal: ProposalRow,
  { by, state, now }: Deciding & { readonly state: 'confirmed' | 'rejected'; readonly now: Date },
): ProposalRow {
  void tx.run(decideProposal(proposal, { state, by: by.name, staff_uuid: by.staff_uuid, now }))
  record(
    tx,
    { ...by, proposed_by: proposal.proposed_by },
    `proposal.${state === 'confirmed' ? 'confirm' : 'reject'}`,
    proposal,
  )
  return { ...proposal, state, decided_by: by.name, decided_at: now }
}

/** Leaves out the reason: it may name the customer, and an erasure removes it from the proposal only. */
function record(
  tx: Transaction,
  by: Actor,
  action: Extract<AuditAction, `proposal.${string}`>,
  {
    program_id,
    proposal_uuid,
    kind,
    payload,
    customer_id,
  }: Pick<ProposalRow, 'program_id' | 'proposal_uuid' | 'kind' | 'payload' | 'customer_id'>,
): void {
  const after = { kind, ...payload, ...(customer_id === null ? {} : { customer_id }) }
  audit(tx, by, [{ program_id, action, object: `proposal:${proposal_uuid}`, before: null, after }])
}
