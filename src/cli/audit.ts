import type { Command } from 'commander'
import { type AuditView, listChanges } from '../features/audit/list.ts'
import {
  addCommand,
  addExamples,
  addGroup,
  addPaging,
  type CommonOptions,
  type PageOptions,
  printPage,
  uuidCursor,
  withOutput,
} from './command.ts'
import { withDeployment } from './deployment.ts'
import { instant } from './values.ts'

interface ListOptions extends CommonOptions, PageOptions {
  readonly since?: number
  readonly of?: string
}

/** Adds `audit list`. */
export function addAuditCommands(program: Command): void {
  const group = addGroup(program, 'audit', 'who changed what, and when')
  const list = addPaging(addCommand(group, 'list', 'list changes, the newest first'))
    .option('--since <instant>', 'from this instant on', instant)
    .option('--of <object>', 'of this object: merchant:7, customer:UUID, deployment, or a uuid alone')
  addExamples(list, [
    'nuqta audit list --since 2027-01-31',
    'nuqta audit list --of merchant:7 --json',
    'nuqta audit list --of deployment',
  ])
  list.action((options: ListOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db }) => {
        const { since: since_ms, of, limit } = options
        const page = { since_ms, of, before: uuidCursor(options), size: limit + 1 }
        printPage(output, options, await listChanges(db, page), {
          what: 'changes',
          row: (change) => output.result(change, line(change)),
          cursor: ({ audit_id }) => audit_id,
        })
      }),
    ),
  )
}

/** Describes one change on one line: `verified false → true`. */
function line({ at, by, action, object, before, after }: AuditView): string {
  const was = new Map(Object.entries(before ?? {}))
  const now = new Map(Object.entries(after ?? {}))
  const names = [...new Set([...was.keys(), ...now.keys()])]
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const changes = names.map((name) => {
    const old = was.has(name) ? `${text(was.get(name))} → ` : ''
    return `${name} ${old}${now.has(name) ? text(now.get(name)) : 'none'}`
  })
  return `${at}  ${by}  ${action}  ${object}${changes.length === 0 ? '' : `  ${changes.join(', ')}`}`
}
