import Type, { type Static } from 'typebox'
import { parseUuid } from '../../domain/ids.ts'
import { toSar } from '../../domain/money.ts'
import { refusedTaskFindings } from '../../domain/payment.ts'
import { boolean, nullable, oneOf, text } from '../../http/api/fields.ts'
import { afterUuid, limitOf, listPagination, listQuery, pageOf } from '../../http/dashboard/list.ts'
import type { ProgramRequest } from '../../http/dashboard/route.ts'
import { checkVersion, sentVersion, versionField, withVersion } from '../../http/dashboard/version.ts'
import type { FindingRow, LockedFinding } from './finding-queries.ts'
import type { Findings } from './findings.ts'

export interface DashboardFindingServices {
  readonly findings: Findings
}

const states = ['open', 'handled', 'resolved'] as const
const kinds = [
  ...(['missing', 'not_paid', 'not_answered', 'capture_due'] as const),
  ...(['account_changed', 'amount_differs', 'refunded_elsewhere'] as const),
  ...refusedTaskFindings,
] as const

const finding = Type.Object({
  finding_uuid: Type.String(),
  merchant: Type.Object({ merchant_id: Type.Integer(), name: Type.String(), name_ar: nullable(Type.String()) }),
  order: Type.Object({
    uuid: Type.String(),
    order_number: Type.String(),
    reference_number: Type.String(),
    order_status: Type.String(),
  }),
  payment_uuid: Type.String(),
  provider: Type.String(),
  provider_reference: nullable(Type.String()),
  amount: Type.Number({ description: 'In SAR.' }),
  kind: oneOf(kinds, { description: 'What was found.' }),
  action: oneOf(['none', 'reversed'], { description: 'What the service did by itself.' }),
  detail: Type.String({ description: 'What the provider said.' }),
  reversal: nullable(
    Type.Object({ refund_amount: Type.Number(), returned_points: Type.Integer(), reversed_points: Type.Integer() }),
  ),
  state: oneOf(states, { description: '`resolved`: the payment agrees by now, or has gone back.' }),
  note: nullable(Type.String()),
  changed_by: nullable(Type.String()),
  changed_at: nullable(Type.String()),
  times: Type.Integer({ description: 'How many runs have found it.' }),
  found_at: Type.String(),
  seen_at: Type.String(),
  ended_at: nullable(Type.String()),
  version: versionField,
})

const query = Type.Object({
  ...listQuery,
  after: afterUuid,
  state: Type.Optional(oneOf(states)),
})

/** docs/spec/payments.md#findings */
export const listFindingsOfProgram = {
  tag: 'Findings',
  summary: 'List what the comparison of payments has found, and what providers refused for good, the newest first',
  query,
  data: Type.Array(finding),
  pagination: { ...listPagination, open: Type.Integer({ description: 'How many are open; at most 1,000.' }) },
  async handle(
    { program: { program_id }, query: sent }: ProgramRequest<undefined, 'programId', Static<typeof query>>,
    { findings }: DashboardFindingServices,
  ) {
    const limit = limitOf(sent)
    const page = { before: parseUuid(sent.after ?? '') ?? undefined, size: limit + 1 }
    const [rows, open] = await Promise.all([
      findings.list(program_id, sent.state, page),
      findings.countOpen(program_id),
    ])
    return pageOf(rows, { limit, view: viewFinding, cursor: (row) => row.finding_uuid, beside: { open } })
  },
} as const

const body = Type.Object({
  version: sentVersion(),
  handled: Type.Optional(boolean({ description: 'False opens it again.' })),
  note: Type.Optional(nullable(text({ max: 1_000, description: 'Replaces the note before; null removes it.' }))),
})

export const changeFindingOfProgram = {
  tag: 'Findings',
  summary: 'Note something about a finding, and say whether it is handled',
  body,
  data: finding,
  failures: ['not_found', 'stale'],
  async handle(
    request: ProgramRequest<Static<typeof body>, 'programId' | 'findingUuid'>,
    { findings }: DashboardFindingServices,
  ) {
    const { program, params, body: change, actor } = request
    const of = { program_id: program.program_id, finding_uuid: params.findingUuid }
    const check = (was: LockedFinding) => checkVersion(change.version, decidedOn(was))
    return viewFinding(await findings.change(of, change, actor, check))
  },
} as const

/** The state that a change is checked against: the amount grows if a provider refuses more meanwhile. */
function decidedOn({ amount_halalas, state, note }: Pick<LockedFinding, 'amount_halalas' | 'state' | 'note'>) {
  return { amount: toSar(amount_halalas), state, note }
}

function viewFinding(row: FindingRow): Static<typeof finding> {
  const { order_uuid, order_number, reference_number, order_status, amount_halalas } = row
  const { finding_uuid, payment_uuid, provider, provider_reference, kind, action, detail } = row
  const { state, note, changed_by, changed_at, times, found_at, seen_at, ended_at } = row
  return {
    ...{ finding_uuid, payment_uuid, provider, provider_reference, kind, action, detail },
    merchant: { merchant_id: row.merchant_id, name: row.merchant_name, name_ar: row.merchant_name_ar },
    order: { uuid: order_uuid, order_number, reference_number, order_status },
    amount: toSar(amount_halalas),
    reversal: reversalOf(row),
    ...{ state, note, changed_by, times },
    changed_at: changed_at?.toISOString() ?? null,
    found_at: found_at.toISOString(),
    seen_at: seen_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
    version: withVersion(decidedOn(row)).version,
  }
}

function reversalOf({ refund_halalas, returned_points, reversed_points }: FindingRow) {
  if (refund_halalas === null) return null
  return {
    refund_amount: toSar(refund_halalas),
    returned_points: returned_points ?? 0,
    reversed_points: reversed_points ?? 0,
  }
}
