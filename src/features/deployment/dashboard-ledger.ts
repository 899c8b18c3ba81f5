import Type, { type Static } from 'typebox'
import { nullable, oneOf } from '../../http/api/fields.ts'
import type { ProgramRequest } from '../../http/dashboard/route.ts'
import type { LedgerRunRow } from './ledger-run-queries.ts'
import type { LedgerRuns } from './ledger-runs.ts'

export interface DashboardLedgerServices {
  readonly ledgerRuns: LedgerRuns
}

/** Runs that the page shows. */
const most_shown = 20

const run = Type.Object({
  run_uuid: Type.String(),
  state: oneOf(['waiting', 'running', 'done', 'failed', 'cancelled']),
  asked_by: Type.String(),
  asked_at: Type.String(),
  started_at: nullable(Type.String()),
  ended_at: nullable(Type.String()),
  attempts: Type.Integer({ description: 'More than one after a worker has died.' }),
  cancelled_by: nullable(Type.String()),
  step: nullable(Type.String({ description: '`transfers`, `wallets`, `orders`, `refunds`, or `rules` at the end.' })),
  transfers: Type.Integer(),
  entries: Type.Integer(),
  wallets: Type.Integer(),
  expected_entries: nullable(Type.Integer({ description: 'About how many entries there are; null if nobody knows.' })),
  differences: nullable(Type.Integer({ description: 'Null before the end.' })),
  shown: Type.Array(Type.Object({ check: Type.String(), id: Type.String(), detail: Type.String() }), {
    description: 'The first hundred differences.',
  }),
  error: nullable(Type.String()),
})

type Of<Params extends string = never> = ProgramRequest<undefined, 'programId' | Params>

/** docs/spec/operation.md#verification */
export const readLedgerRuns = {
  tag: 'Ledger',
  summary: 'List the last verifications of a program’s ledger, the newest first',
  data: Type.Object({
    runs: Type.Array(run),
    other: Type.Boolean({ description: 'Whether the ledger of another program is being verified now.' }),
  }),
  async handle({ program: { program_id } }: Of, { ledgerRuns }: DashboardLedgerServices) {
    const [runs, open] = await Promise.all([ledgerRuns.list(program_id, most_shown), ledgerRuns.open()])
    return { runs: runs.map(viewRun), other: open !== undefined && open.program_id !== program_id }
  },
} as const

export const beginLedgerRun = {
  tag: 'Ledger',
  summary: 'Verify the ledger of a program',
  description: 'A worker does it, beside the service. There is one verification at a time in a deployment.',
  data: run,
  failures: ['verification_running'],
  async handle({ program, actor, once }: Of, { ledgerRuns }: DashboardLedgerServices) {
    return viewRun(await ledgerRuns.begin(program.program_id, actor, once.keeping(viewRun)))
  },
} as const

export const cancelLedgerRun = {
  tag: 'Ledger',
  summary: 'Cancel a verification',
  data: run,
  failures: ['not_found'],
  async handle({ program, params, actor }: Of<'runUuid'>, { ledgerRuns }: DashboardLedgerServices) {
    return viewRun(await ledgerRuns.cancel(program.program_id, params.runUuid, actor))
  },
} as const

function viewRun(row: LedgerRunRow): Static<typeof run> {
  const { run_uuid, state, asked_by, attempts, cancelled_by, step, transfers, entries, wallets, expected_entries } = row
  const { differences, shown, error, asked_at, started_at, ended_at } = row
  return {
    ...{ run_uuid, state, asked_by, attempts, cancelled_by, step, transfers, entries, wallets, expected_entries },
    ...{ differences, error },
    shown: (shown ?? []).map(({ check, id, detail }) => ({ check, id, detail })),
    asked_at: asked_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
  }
}
