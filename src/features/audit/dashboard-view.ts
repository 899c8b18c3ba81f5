import Type, { type Static } from 'typebox'
import { differenceOf } from '../../domain/audit.ts'
import { addDays, parseDay, startOfDay } from '../../domain/day.ts'
import { parseUuid, type Uuid, uuidV7Floor } from '../../domain/ids.ts'
import { oneOf, refine, text } from '../../http/api/fields.ts'
import { DashboardAnswer, Download } from '../../http/dashboard/answers.ts'
import { afterUuid, limitOf, listQuery } from '../../http/dashboard/list.ts'
import { type Cell, csvFile } from '../../lib/csv.ts'
import { readSide } from './list.ts'
import type { ChangePage } from './pages.ts'

/** What the audit logs of a merchant, of a program and of the deployment have in common. docs/spec/operation.md#audit */

const isInstant = (value: unknown): boolean => typeof value !== 'string' || instantOf(value) !== undefined

export const auditFilters = {
  action: Type.Optional(text({ max: 100, description: 'A kind of change, as the list shows it.' })),
  by: Type.Optional(text({ max: 320, description: 'Who made it: the e-mail address, or the name of an operator.' })),
  from: Type.Optional(
    refine(
      text({ max: 40, description: 'From this day in Asia/Riyadh, or from this instant, on (ISO 8601).' }),
      'instant',
      isInstant,
    ),
  ),
  to: Type.Optional(
    refine(
      text({ max: 40, description: 'Up to and with this day in Asia/Riyadh, or before this instant (ISO 8601).' }),
      'instant',
      isInstant,
    ),
  ),
}
export const auditPaging = { ...listQuery, after: afterUuid }

const value = Type.Unknown({ description: 'Any JSON; missing where the field was not there.' })
export const auditChange = Type.Object({
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

const filterFields = Type.Object(auditFilters)
const pageFields = Type.Object({ ...auditPaging, ...auditFilters })
type Filters = Static<typeof filterFields>

export const filterOf = (sent: Filters) => ({ action: sent.action, actor: sent.by, from: floorOf(sent.from) })

/** Reads a page of a log: those before an id. */
export type ReadChanges = (page: { readonly before: Uuid | undefined; readonly limit: number }) => Promise<ChangePage>

/** A page of a log. It can be short, or empty, with more behind it. */
export async function answerChanges(sent: Static<typeof pageFields>, read: ReadChanges): Promise<DashboardAnswer> {
  const after = parseUuid(sent.after ?? '') ?? undefined
  const { changes, next } = await read({ before: earlier(after, floorOf(sent.to, 1)), limit: limitOf(sent) })
  return new DashboardAnswer(changes.map(viewChange), { beside: { next } })
}

const max_changes = 100_000
const page_size = 250

/** The same as a file: one line for each changed field. */
export function downloadChanges(name: string, sent: Filters, read: ReadChanges): Download {
  const pages = async function* () {
    let left = max_changes
    let before = floorOf(sent.to, 1)
    while (left > 0) {
      const { changes, next } = await read({ before, limit: Math.min(page_size, left) })
      yield changes.map(viewChange).flatMap(recordsOf)
      if (next === null) return
      left -= changes.length
      before = next
    }
  }
  return new Download({
    filename: `audit-${name}.csv`,
    type: 'text/csv; charset=utf-8',
    chunks: csvFile(['at', 'by', 'source', 'action', 'object', 'field', 'before', 'after'], pages()),
  })
}

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
  return typeof side === 'string' || typeof side === 'number' ? side : JSON.stringify(side)
}

function viewChange(row: ChangePage['changes'][number]) {
  const { audit_id, created_at, actor, source, action, object, before, after } = row
  const at = new Date(created_at).toISOString()
  return {
    audit_id,
    at,
    by: actor,
    source,
    action,
    object,
    difference: differenceOf(readSide(before), readSide(after)),
  }
}

/** A day stands for its beginning in Riyadh, or with `later` for that of a later one. */
function instantOf(sent: string, later = 0): number | undefined {
  const day = parseDay(sent)
  if (day !== null) return startOfDay(addDays(day, later)).getTime()
  const time_ms = /^\d{4}-\d{2}-\d{2}T/.test(sent) ? Date.parse(sent) : Number.NaN
  return time_ms >= 0 ? time_ms : undefined
}

function floorOf(sent: string | undefined, later = 0): Uuid | undefined {
  const time_ms = sent === undefined ? undefined : instantOf(sent, later)
  return time_ms === undefined ? undefined : uuidV7Floor(time_ms)
}

function earlier(a: Uuid | undefined, b: Uuid | undefined): Uuid | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}
