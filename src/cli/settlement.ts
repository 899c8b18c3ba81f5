import type { Command } from 'commander'
import type { Tie } from '../domain/settlement.ts'
import { ties } from '../domain/settlement.ts'
import { minute_ms } from '../domain/spans.ts'
import { findSettling, periodEnd, type Settling } from '../features/settlement/program.ts'
import { closeOrPropose } from '../features/settlement/propose.ts'
import { previewSettlements, type SettlementProgress, type SettlementRequest } from '../features/settlement/service.ts'
import { type SettlementView, viewNothing } from '../features/settlement/view.ts'
import { CliError } from '../lib/errors.ts'
import {
  addCommand,
  addExamples,
  addGroup,
  addIrreversible,
  type CommonOptions,
  describe,
  type Output,
  withOutput,
} from './command.ts'
import { confirmed, type Deployment, withDeployment } from './deployment.ts'
import { printProposal } from './proposal.ts'
import { addExclusions, addSettlementLists } from './settlement-read.ts'
import { day } from './values.ts'

interface SettlementOptions extends CommonOptions {
  readonly merchant?: string
  readonly program?: string
  readonly until?: string
}

export function addSettlementCommands(program: Command): void {
  const group = addGroup(program, 'settlement', 'what merchants and their program owe each other')
  const preview = addCommand(group, 'preview', 'show what a close would settle; exit 1 when the points do not tie')
  choosing(preview).action((options: SettlementOptions) => run(options, previewOne))
  const close = addIrreversible(group, 'close', 'close periods and settle them: their orders can no longer be refunded')
  choosing(close).action((options: SettlementOptions) => run(options, closeOne, question))
  addSettlementLists(group)
  addExclusions(group)
}

const question = 'Close the settlements? Their orders can no longer be refunded.'

function choosing(command: Command): Command {
  command
    .option(
      '--merchant <merchant>',
      'of this merchant alone, by id or exact name (default: each that has something to settle)',
    )
    .option('--program <name>', 'of the merchants of this program alone')
    .option('--until <day>', 'up to the end of this day in Riyadh, YYYY-MM-DD (default: now)', day)
  const line = `nuqta settlement ${command.name()}`
  return addExamples(command, [line, `${line} --merchant 'Demo Store' --json`, `${line} --until 2026-01-31`])
}

type RunOne = (
  deployment: Deployment,
  request: SettlementRequest,
  print: (view: SettlementView) => void,
  output: Output,
) => Promise<Tie | null | 'proposed'>

/** Adding up millions of entries takes long. */
const query_timeout_ms = 10 * minute_ms

function run(options: SettlementOptions, runOne: RunOne, ask?: string): Promise<void> {
  return withOutput(options, (output) =>
    withDeployment(
      options,
      output,
      async (opened) => {
        const deployment = ask === undefined ? opened : await confirmed(options, opened, ask)
        const until = periodEnd(options.until, deployment.now)
        if (until === null)
          throw new CliError(`The day ${options.until} is not over in Riyadh: settle up to a day before.`)
        for (const settling of await findSettling(deployment.db, options)) {
          await runProgram({ options, output, deployment, until }, settling, runOne)
        }
      },
      { pool: { query_timeout_ms, plans: 'by_key' } },
    ),
  )
}

interface Running {
  readonly options: SettlementOptions
  readonly output: Output
  readonly deployment: Deployment
  readonly until: Date
}

async function runProgram({ options, output, deployment, until }: Running, settling: Settling, runOne: RunOne) {
  const { program, merchant_id } = settling
  const progress = meter(options)
  let printed = 0
  const print = (view: SettlementView): void => {
    progress?.clear()
    output.result(view, [...describe({ ...view }), ''])
    printed += 1
  }
  const tie = await runOne(deployment, { program, merchant_id, until, progress: progress?.show }, print, output)
  progress?.clear()
  if (tie === 'proposed') return
  if (printed === 0 && merchant_id !== undefined) print(viewNothing(merchant_id, until))
  if (tie === null) return
  if (options.json !== true) output.note(`Program ${program.program_id}: ${describeTie(tie)}`)
  if (!ties(tie)) output.code = 1
}

const previewOne: RunOne = async ({ db }, request, print) => {
  const { settlements, tie } = await previewSettlements(db, request)
  for (const view of settlements) print(view)
  return tie
}

const closeOne: RunOne = async ({ db, now, by }, request, print, output) => {
  const { tie, proposal } = await closeOrPropose(db, { ...request, now, by, onSettled: print })
  if (proposal === null) return tie
  printProposal(output, proposal, now)
  return 'proposed'
}

/** The points of a program from both sides. */
function describeTie(tie: Tie): string {
  const count = (points: bigint): string => points.toLocaleString('en')
  const { settled_points, open_points, adjusted_points, outstanding_points } = tie
  const sum = `${count(settled_points)} settled + ${count(open_points)} open + ${count(adjusted_points)} adjusted`
  const equals = ties(tie) ? '=' : 'is not'
  return `${sum} ${equals} ${count(outstanding_points)} points outstanding`
}

/** Shows progress on a terminal, on one line that is overwritten. */
function meter({ json = false, shell: { stderr } }: CommonOptions) {
  if (json || stderr.isTTY !== true) return undefined
  return {
    show: ({ step, done, of }: SettlementProgress) => stderr.write(`\r\u001b[K${step}: ${done} of ${of} merchants …`),
    clear: () => stderr.write('\r\u001b[K'),
  }
}
