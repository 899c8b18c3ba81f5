import Type, { type Static } from 'typebox'
import { instant, isDay, nullable, object, oneOf, optional, refine, uuid } from '../../http/api/fields.ts'
import type { ProgramRequest } from '../../http/dashboard/route.ts'
import { viewWaiting, waitingSchema } from '../proposals/view.ts'
import { sar } from './dashboard.ts'
import { runKinds } from './run-queries.ts'
import { viewRun } from './run-view.ts'
import type { Asked, SettlementRuns } from './runs.ts'

export interface DashboardRunServices {
  readonly settlementRuns: SettlementRuns
}

const tie = Type.Object(
  {
    outstanding_points: Type.Number(),
    settled_points: Type.Number(),
    open_points: Type.Number(),
    adjusted_points: Type.Number(),
    ties: Type.Boolean({ description: 'Settled, open and adjusted come to what is outstanding.' }),
  },
  { description: 'Points of the program from both sides.' },
)

const result = Type.Object({
  merchants: Type.Integer({ description: 'With something to settle.' }),
  orders: Type.Integer(),
  due_amount: sar('Above 0 the merchants owe it, below 0 it is owed to them.'),
  tie: nullable(tie),
  largest: Type.Array(
    Type.Object({
      settlement_id: nullable(uuid()),
      merchant_id: Type.Integer(),
      merchant_name: Type.String(),
      merchant_name_ar: nullable(Type.String()),
      orders: Type.Integer(),
      net_points: Type.Number(),
      fee_amount: sar("The program's fee."),
      due_amount: sar('Above 0 the merchant owes it, below 0 it is owed to the merchant.'),
    }),
    { description: 'The merchants with the largest amounts: 50 at most.' },
  ),
})

const run = Type.Object({
  run_uuid: uuid(),
  kind: oneOf([...runKinds]),
  merchant_id: nullable(Type.Integer({ description: 'Null: all merchants.' })),
  until: instant({ description: 'The end of the periods, which is not part of them.' }),
  asked_by: Type.String(),
  proposed_by: nullable(Type.String({ description: 'Who proposed what `asked_by` has confirmed.' })),
  state: oneOf(['waiting', 'running', 'done', 'failed']),
  step: nullable(oneOf(['closing', 'adding up', 'settling'])),
  done: Type.Integer({ description: 'Merchants of this step.' }),
  of: Type.Integer(),
  result: nullable(result),
  error: nullable(Type.String()),
  asked_at: instant({ description: 'When it was asked for.' }),
  ended_at: nullable(instant({ description: 'When it ended.' })),
})

export const listSettlementRuns = {
  tag: 'Settlements',
  summary: 'List previews and closes, the newest first, with how far they are',
  description: 'The last 20 of a program.',
  data: Type.Array(run),
  async handle({ program }: ProgramRequest, { settlementRuns }: DashboardRunServices) {
    return (await settlementRuns.list(program.program_id)).map((row) => viewRun(row))
  },
} as const

const day = refine(
  Type.String({ description: 'The last day, in Asia/Riyadh. Without it up to this moment.' }),
  'day',
  isDay,
)
const asking = object({
  kind: oneOf([...runKinds]),
  until: optional(day),
  merchant_id: optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Of this merchant alone.' }),
  ),
})

const viewAsked = ({ run: begun, proposal }: Asked) => ({
  run: begun === null ? null : viewRun(begun),
  proposal: proposal === null ? null : viewWaiting(proposal),
})

export const askForSettlementRun = {
  tag: 'Settlements',
  summary: 'Preview or close the open periods of all merchants, or of one',
  failures: ['merchant_not_found', 'settlement_running', 'proposals_full', 'validation'],
  description:
    'It runs in the background. A preview changes nothing; orders of a closed period can no longer be refunded. Where the ' +
    'program closes with two people, `proposal` waits for the second, and nothing runs yet.',
  body: asking,
  data: Type.Object({ run: nullable(run), proposal: nullable(waitingSchema) }),
  async handle(
    { program, body, actor, once }: ProgramRequest<Static<typeof asking>>,
    { settlementRuns }: DashboardRunServices,
  ) {
    return viewAsked(
      await settlementRuns.ask({ program_id: program.program_id, ...body }, actor, once.keeping(viewAsked)),
    )
  },
} as const
