import Type, { type Static } from 'typebox'
import { differenceOf } from '../../domain/audit.ts'
import { parseUuid, type Uuid, uuidV7Floor } from '../../domain/ids.ts'
import { oneOf, refine, text } from '../../http/api/fields.ts'
import { DashboardAnswer, Download } from '../../http/dashboard/answers.ts'
import { limitOf, listPagination, listQuery } from '../../http/dashboard/list.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import { type Cell, csvFile } from '../../lib/csv.ts'
import type { ChangePage, ListMerchantChanges } from './of-merchant.ts'

export interface DashboardAuditServices {
  readonly listMerchantChanges: ListMerchantChanges
}

const isInstant = (value: unknown): boolean => typeof value !== 'string' || instantOf(value) !== undefined
const isCursor = (value: unknown): boolean => typeof value !== 'string' || parseUuid(value) !== null

const filters = {
  action: Type.Optional(text({ max: 100, description: 'A kind of change, as the list shows it.' })),
  by: Type.Optional(text({ max: 320, description: 'Who made it: the e-mail address, or the name of an operator.' })),
  from: Type.Optional(
    refine(text({ max: 40, description: 'From this instant on (ISO 8601).' }), 'characters', isInstant),
  ),
  to: Type.Optional(refine(text({ max: 40, description: 'Before this instant (ISO 8601).' }), 'characters', isInstant)),
}
const query = Type.Object({
  ...listQuery,
  after: Type.Optional(refine(Type.String({ description: '`next` of the page before.' }), 'characters', isCursor)),
  ...filters,
})
const csvQuery = Type.Object(filters)

const value = Type.Unknown({ description: 'Any JSON; missing where the field was not there.' })
const change = Type.Object({
  audit_id: Type.String(),
  at: Type.String(),
  by: Type.String(),
  source: oneOf(['command', 'dashboard'], { description: 'Whether an operator or somebody in the dashboard made it.' }),
  action: Type.String(),
  object: Type.String({ description: '`merchant:7`, `order:UUID`, `webhook:UUID`, …' }),
  difference: Type.Array(
    Type.Object({ field: Type.String(), before: Type.Optional(value), after: Type.Optional(value) }),
  ),
})

type Sent<Query extends Type.TObject> = MerchantRequest<undefined, 'merchantId', Static<Query>>

/** Who changed what at a merchant. docs/spec/operation.md#audit */
export const listAudit = {
  tag: 'Audit log',
  summary: 'List the changes at a merchant, the newest first',
  description: 'A page can be short, or empty, with more behind it: it has looked at a bounded part of the log.',
  query,
  data: Type.Array(change),
  pagination: listPagination,
  async handle({ merchant, query: sent }: Sent<typeof query>, { listMerchantChanges }: DashboardAuditServices) {
    const after = parseUuid(sent.after ?? '') ?? undefined
    const before = earlier(after, floorOf(sent.to))
    const { changes, next } = await listMerchantChanges(merchant, filterOf(sent), { before, limit: limitOf(sent) })
    return new DashboardAnswer(changes.map(viewChange), { beside: { next } })
  },
} as const

/** The same as a file: one line for each changed field. */
export const downloadAudit = {
  tag: 'Audit log',
  summary: 'Download the changes at a merchant as CSV',
  query: csvQuery,
  data: Type.Object({}, { description: 'A file of at most 100,000 changes, one line for each changed field.' }),
  async handle({ merchant, query: sent }: Sent<typeof csvQuery>, { listMerchantChanges }: DashboardAuditServices) {
    const pages = async function* () {
      let left = max_changes
      let before = floorOf(sent.to)
      while (left > 0) {
        const limit = Math.min(page_size, left)
        const { changes, next } = await listMerchantChanges(merchant, filterOf(sent), { before, limit })
        yield changes.map(viewChange).flatMap(recordsOf)
        if (next === null) return
        left -= changes.length
        before = next
      }
    }
    return new Download({
      filename: `audit-${merchant.merchant_id}.csv`,
      type: 'text/csv; charset=utf-8',
      chunks: csvFile(['at', 'by', 'source', 'action', 'object', 'field', 'before', 'after'], pages()),
    })
  },
} as const

const max_changes = 100_000
const page_size = 250

/** The lines of a change. */
function recordsOf({ at, by, source, action, object, difference }: ReturnType<typeof viewChange>): Cell[][] {
  const record = (field: string, before?: unknown, after?: unknown) => [
    ...[at, by, source, action, object, field],
    ...[cell(before), cell(after)],
  ]
  if (difference.length === 0) return [record('')]
  return difference.map(({ field, before, after }) => record(field, before, after))
}

function cell(side: unknown): Cell {
  if (side === undefined || side === null) return null
  return typeof side === 'string' ? side : JSON.stringify(side)
}

function viewChange({
  audit_id,
  created_at,
  actor,
  source,
  action,
  object,
  before,
  after,
}: ChangePage['changes'][number]) {
  const at = new Date(created_at).toISOString()
  return { audit_id, at, by: actor, source, action, object, difference: differenceOf(before, after) }
}

const filterOf = (sent: Static<typeof csvQuery>) => ({ action: sent.action, actor: sent.by, from: floorOf(sent.from) })

function instantOf(sent: string): number | undefined {
  const time_ms = /^\d{4}-\d{2}-\d{2}/.test(sent) ? Date.parse(sent) : Number.NaN
  return time_ms >= 0 ? time_ms : undefined
}

function floorOf(sent: string | undefined): Uuid | undefined {
  const time_ms = sent === undefined ? undefined : instantOf(sent)
  return time_ms === undefined ? undefined : uuidV7Floor(time_ms)
}

function earlier(a: Uuid | undefined, b: Uuid | undefined): Uuid | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}
