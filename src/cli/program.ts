import { type Command, InvalidArgumentError, Option } from 'commander'
import { type MicroSarPerPoint, toSarPerPoint } from '../domain/points.ts'
import type { ProgramChanges, ProgramRow } from '../features/merchants/program-queries.ts'
import { createProgram, listPrograms, setProgram } from '../features/merchants/programs.ts'
import {
  addChange,
  addCommand,
  addExamples,
  addGroup,
  addPaging,
  type CommonOptions,
  describe,
  numberCursor,
  type Output,
  type PageOptions,
  printPage,
  withOutput,
} from './command.ts'
import { withDeployment } from './deployment.ts'
import { operatorText, sarPerPoint } from './values.ts'

interface SetOptions extends CommonOptions {
  readonly activation?: 'automatic' | 'required'
  readonly sarPerPoint?: MicroSarPerPoint
  readonly locale?: 'ar' | 'en'
  readonly operatorName?: string
  readonly operatorContact?: string
}

export function addProgramCommands(program: Command): void {
  const group = addGroup(program, 'program', 'programs: a points currency with its customers and merchants')
  const create = addChange(group, 'create <name>', 'make a program')
  addExamples(create, ['nuqta program create Mall'])
  create.action((name: string, options: CommonOptions) =>
    withOutput(options, (output) =>
      withDeployment(
        options,
        output,
        async ({ db, environment, now, by }) => {
          const view = viewProgram(await createProgram(db, { name, environment, now, by }))
          output.result(view, describe(view))
        },
        { creates: true },
      ),
    ),
  )
  const list = addPaging(addCommand(group, 'list', 'list programs, the newest first'))
  list.action((options: CommonOptions & PageOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db }) => {
        const before = numberCursor(options) ?? Number.POSITIVE_INFINITY
        const newest = (await listPrograms(db))
          .filter(({ program_id }) => program_id < before)
          .sort((a, b) => b.program_id - a.program_id)
        printPage(output, options, newest, {
          row: (row) => printLine(output, row),
          cursor: ({ program_id }) => program_id,
        })
      }),
    ),
  )
  addSet(group)
}

function printLine(output: Output, row: ProgramRow): void {
  const { program_id, name, activation, sar_per_point, locale } = viewProgram(row)
  const id = String(program_id).padStart(6)
  output.result(viewProgram(row), `${id}  ${name}  (${activation}, ${sar_per_point} SAR a point, ${locale})`)
}

function addSet(group: Command): void {
  const set = addChange(group, 'set <program>', 'change a program, by its name')
    .addOption(
      new Option('--activation <how>', 'whether an unknown phone becomes active with its first earning').choices([
        'automatic',
        'required',
      ]),
    )
    .option('--sar-per-point <n>', 'what a point redeems', sarPerPoint)
    .addOption(new Option('--locale <locale>', 'language of its events and messages').choices(['ar', 'en']))
    .option('--operator-name <name>', 'who runs it, for its pages and its terms; none: as the deployment', operatorText)
    .option('--operator-contact <contact>', 'an e-mail address, a phone number or an https link; none', operatorText)
  addExamples(set, [
    'nuqta program set Default --activation required',
    'nuqta program set Mall --sar-per-point 0.01',
    "nuqta program set Mall --operator-name 'Mall Company' --operator-contact help@mall.example",
  ])
  set.action((name: string, options: SetOptions) =>
    withOutput(options, (output) => {
      const changes = changesOf(options)
      if (Object.keys(changes).length === 0)
        throw new InvalidArgumentError('Nothing to set: see nuqta program set --help.')
      return withDeployment(options, output, async ({ db, now, by }) => {
        const view = viewProgram(await setProgram(db, name, { changes, now, by }))
        output.result(view, describe(view))
      })
    }),
  )
}

function changesOf(options: SetOptions): ProgramChanges {
  const { activation, sarPerPoint: micro_sar_per_point, locale } = options
  const named = (text: string | undefined): string | null | undefined => (text === '' ? null : text)
  const operator = { operator_name: named(options.operatorName), operator_contact: named(options.operatorContact) }
  const all = { activation, micro_sar_per_point, locale, ...operator }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function viewProgram({ program_id, name, activation, micro_sar_per_point, locale, ...row }: ProgramRow) {
  const { operator_name, operator_contact } = row
  const sar_per_point = toSarPerPoint(micro_sar_per_point)
  return { program_id, name, activation, sar_per_point, locale, operator_name, operator_contact }
}
