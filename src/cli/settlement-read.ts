import type { Command } from 'commander'
import type { Database } from '../db/pool.ts'
import { DomainError } from '../domain/failures.ts'
import { parseUuid, type Uuid } from '../domain/ids.ts'
import { listPrograms } from '../features/merchants/programs.ts'
import { findMerchant } from '../features/merchants/service.ts'
import { excludeOrder, includeOrder, max_dispute_reason } from '../features/settlement/exclusion.ts'
import { findOrderMerchant } from '../features/settlement/read-queries.ts'
import {
  allLines,
  type ClosedSettlement,
  createSettlementPages,
  type LineView,
  type SettlementOwner,
} from '../features/settlement/statement.ts'
import { counted } from '../lib/counted.ts'
import { CliError } from '../lib/errors.ts'
import {
  addChange,
  addCommand,
  addExamples,
  addPaging,
  type CommonOptions,
  describe,
  noteNone,
  type PageOptions,
  printPage,
  uuidCursor,
  withOutput,
} from './command.ts'
import { withDeployment } from './deployment.ts'
import { reasonText } from './values.ts'

interface ListOptions extends CommonOptions, PageOptions {
  readonly merchant?: string
}

const uuidExample = '0193e7a1-4b2c-7def-8123-456789abcdef'

/** Adds `settlement list|show|statement`. */
export function addSettlementLists(group: Command): void {
  const list = addPaging(addCommand(group, 'list', 'list closed settlements, the newest first'))
  list.option('--merchant <merchant>', 'of this merchant alone, by id or exact name')
  addExamples(list, ['nuqta settlement list', "nuqta settlement list --merchant 'Demo Store' --json"])
  list.action((options: ListOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db }) => {
        const rows = await newest(db, options)
        printPage(output, options, rows, {
          what: 'settlements',
          row: (row) =>
            output.result(
              row,
              `${row.settlement_id}  ${row.merchant_name}  until ${row.until}  ${String(describeAmount(row.due_amount))} SAR`,
            ),
          cursor: ({ settlement_id }) => settlement_id,
        })
      }),
    ),
  )
  const show = addCommand(group, 'show <settlement>', 'show a settlement with its sums')
  addExamples(show, [`nuqta settlement show ${uuidExample}`])
  show.action((text: string, options: CommonOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db }) => {
        const { lines, ...settlement } = await findAnywhere(db, text)
        output.result({ ...settlement, lines }, [...describe({ ...settlement }), '', ...lines.map(lineText)])
      }),
    ),
  )
  const statement = addCommand(
    group,
    'statement <settlement>',
    'print every entry and payment that a settlement adds up',
  )
  addExamples(statement, [`nuqta settlement statement ${uuidExample} --json`])
  statement.action((text: string, options: CommonOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db }) => {
        const { settlement_id, owner } = await findAnywhere(db, text)
        let printed = 0
        for await (const page of allLines(createSettlementPages(db), owner, settlement_id, Number.MAX_SAFE_INTEGER)) {
          printed += page.length
          for (const { line } of page)
            output.result(
              line,
              [line.at, line.kind, line.order_number, line.points, describeAmount(line.amount), line.id].join('  '),
            )
        }
        if (printed === 0) noteNone(output, options, 'entries and payments')
      }),
    ),
  )
}

const describeAmount = (amount: ClosedSettlement['due_amount']) =>
  typeof amount === 'number' ? amount : amount.rawJSON
const lineText = ({ kind, sar_per_point, entries, points, amount }: LineView): string =>
  `${kind.padEnd(10)}  ${counted(entries, 'entry', 'entries')}, ${describeAmount(points)} points at ${sar_per_point ?? '–'}: ${describeAmount(amount)} SAR`

async function newest(db: Database, options: ListOptions): Promise<ClosedSettlement[]> {
  const pages = createSettlementPages(db)
  const page = { before: uuidCursor(options), limit: options.limit }
  const one = options.merchant === undefined ? undefined : await findMerchant(db, options.merchant)
  if (one !== undefined) return pages.list(one, page)
  const lists = await Promise.all((await listPrograms(db)).map(({ program_id }) => pages.list({ program_id }, page)))
  return lists
    .flat()
    .sort((a, b) => (a.settlement_id < b.settlement_id ? 1 : -1))
    .slice(0, options.limit + 1)
}

function readUuid(text: string): Uuid {
  const uuid = parseUuid(text.trim())
  if (uuid === null) throw new CliError(`${text} is not a uuid.`)
  return uuid
}

/** A settlement of any program. */
async function findAnywhere(db: Database, text: string) {
  const settlement_id = readUuid(text)
  const pages = createSettlementPages(db)
  for (const { program_id } of await listPrograms(db)) {
    const owner: SettlementOwner = { program_id }
    const found = await pages.read(owner, settlement_id).catch(ignoreUnknown)
    if (found !== null) return { ...found, owner }
  }
  throw new CliError(`There is no settlement ${text}; see nuqta settlement list.`)
}

function ignoreUnknown(error: unknown): null {
  if (error instanceof DomainError && error.failure.kind === 'not_found') return null
  throw error
}

/** Adds `settlement exclude|include`. */
export function addExclusions(group: Command): void {
  const exclude = addChange(group, 'exclude <order>', 'leave an order in dispute out of settlements, by its uuid')
  exclude.requiredOption('--reason <text>', 'why', reasonText(max_dispute_reason))
  addExamples(exclude, [`nuqta settlement exclude ${uuidExample} --reason 'The customer denies it'`])
  exclude.action((text: string, options: CommonOptions & { readonly reason: string }) =>
    dispute(options, text, (db, ask) => excludeOrder(db, { ...ask, reason: options.reason })),
  )
  const include = addChange(group, 'include <order>', 'take an order that is left out into the open period')
  addExamples(include, [`nuqta settlement include ${uuidExample}`])
  include.action((text: string, options: CommonOptions) => dispute(options, text, includeOrder))
}

const refusals: Readonly<Record<string, string>> = {
  cannot_leave_out: 'Only a paid order of the open period can be left out.',
  left_out_full: '1,000 orders of this merchant are left out: take some of them in again first.',
  not_left_out: 'This order is not left out.',
}

function dispute(options: CommonOptions, text: string, change: typeof includeOrder): Promise<void> {
  return withOutput(options, (output) =>
    withDeployment(options, output, async ({ db, now, by }) => {
      const order_uuid = readUuid(text)
      for (const { program_id } of await listPrograms(db)) {
        const found = await db.one(findOrderMerchant(program_id, order_uuid))
        if (found === undefined) continue
        await change(db, { program_id, merchant_id: found.merchant_id, order_uuid, now, by }).catch(
          (error: unknown) => {
            const refusal = error instanceof DomainError ? refusals[error.failure.kind] : undefined
            throw refusal === undefined ? error : new CliError(refusal)
          },
        )
        return output.result(
          { order_uuid, merchant_id: found.merchant_id },
          `order ${order_uuid} of merchant ${found.merchant_id}`,
        )
      }
      throw new CliError(`There is no order ${text}.`)
    }),
  )
}
