import type { Command } from 'commander'
import { parseUuid } from '../domain/ids.ts'
import { stateAt } from '../domain/proposal.ts'
import { findProgramNamed } from '../features/merchants/programs.ts'
import type { ProposalRow } from '../features/proposals/queries.ts'
import { listProposals, readProposal } from '../features/proposals/service.ts'
import { CliError } from '../lib/errors.ts'
import {
  addCommand,
  addExamples,
  addGroup,
  addPaging,
  type CommonOptions,
  describe,
  type Output,
  type PageOptions,
  printPage,
  uuidCursor,
  withOutput,
} from './command.ts'
import { withDeployment } from './deployment.ts'

interface ProposalOptions extends CommonOptions {
  readonly program?: string
  readonly open?: boolean
}

/** Adds `proposal list` and `proposal show`. Only somebody who is signed in confirms: docs/spec/two-people.md */
export function addProposalCommands(program: Command): void {
  const group = addGroup(
    program,
    'proposal',
    'changes that wait for a second person, who confirms them in the dashboard',
  )
  const list = addPaging(addCommand(group, 'list', 'list proposals of a program, the newest first'))
    .option('--program <name>', 'their program (default: the first)')
    .option('--open', 'those alone that wait')
  addExamples(list, ['nuqta proposal list --open', 'nuqta proposal list --program Mall --json'])
  list.action((options: ProposalOptions & PageOptions) =>
    withOutput(options, (output) => {
      const before = uuidCursor(options) ?? null
      return withDeployment(options, output, async ({ db, now }) => {
        const { program_id } = await findProgramNamed(db, options.program)
        const page = { before, limit: options.limit + 1, open_at: options.open === true ? now : null }
        printPage(output, options, await listProposals(db, program_id, page), {
          what: 'proposals',
          row: (row) => output.result(viewProposal(row, now), lineOf(row, now)),
          cursor: ({ proposal_uuid }) => proposal_uuid,
        })
      })
    }),
  )
  const show = addCommand(group, 'show <uuid>', 'show a proposal').option(
    '--program <name>',
    'its program (default: the first)',
  )
  addExamples(show, ['nuqta proposal show 01980000-0000-7000-8000-000000000000'])
  show.action((typed: string, options: ProposalOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db, now }) => {
        const { program_id, name } = await findProgramNamed(db, options.program)
        const uuid = parseUuid(typed.trim())
        const row = uuid === null ? undefined : await readProposal(db, program_id, uuid)
        if (row === undefined) throw new CliError(`The program ${name} has no proposal ${typed}.`)
        output.result(viewProposal(row, now), describe(viewProposal(row, now)))
      }),
    ),
  )
}

/** Prints what a command has only proposed. */
export function printProposal(output: Output, row: ProposalRow, now: Date): void {
  const view = viewProposal(row, now)
  const waits = 'This waits for a second person, who confirms it in the dashboard:'
  output.result(view, [waits, ...describe(view)])
}

function viewProposal(row: ProposalRow, now: Date) {
  const { proposal_uuid, kind, payload, customer_id, reason, proposed_by, decided_by, decided_at } = row
  return {
    proposal_uuid,
    kind,
    state: stateAt(row, now),
    change: payload,
    customer_id,
    reason,
    proposed_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_by,
    decided_at: decided_at?.toISOString() ?? null,
  }
}

function lineOf(row: ProposalRow, now: Date): string {
  const change = Object.entries(row.payload).map(([name, value]) => `${name} ${value}`)
  const at = row.created_at.toISOString()
  return `${at}  ${row.proposal_uuid}  ${stateAt(row, now)}  ${row.kind}: ${change.join(', ')}  (${row.proposed_by})`
}
