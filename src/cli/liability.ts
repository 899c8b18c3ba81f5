import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { type Day, dayOf } from '../domain/day.ts'
import { createMake } from '../features/liability/make.ts'
import type { ReportKey } from '../features/liability/queries.ts'
import { createLiability, default_age_months, type Liability, max_age_months } from '../features/liability/service.ts'
import type { WholeReportView } from '../features/liability/view.ts'
import { findProgramNamed } from '../features/merchants/programs.ts'
import { CliError } from '../lib/errors.ts'
import { addCommand, addExamples, type CommonOptions, describe, type Output, withOutput } from './command.ts'
import { type Deployment, withDeployment } from './deployment.ts'
import { day, whole } from './values.ts'

interface LiabilityOptions extends CommonOptions {
  readonly program?: string
  readonly on?: Day
  readonly age: number
  readonly again?: boolean
  readonly csv?: boolean
}

/** Another process takes the next step. */
const poll_ms = 200

export function addLiabilityCommand(program: Command): void {
  const command = addCommand(program, 'liability', 'the points that a program owes its customers at the end of a day')
  command
    .option('--program <program>', 'of this program, by name (default: the first one)')
    .option(
      '--on <day>',
      'at the end of this day in Riyadh, as 2026-01-31 (default: today, as far as it has come)',
      day,
    )
    .option(
      '--age <months>',
      'points that are older count as breakage so far',
      whole(1, max_age_months),
      default_age_months,
    )
    .option('--again', 'add it up again, also if it is stored already')
    .addOption(new Option('--csv', 'print all months as CSV').conflicts('json'))
  addExamples(command, [
    'nuqta liability',
    'nuqta liability --on 2026-01-31 --json',
    'nuqta liability --on 2026-01-31 --csv',
  ])
  command.action((options: LiabilityOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, (deployment) => printReport(options, output, deployment), {
        pool: { plans: 'by_key' },
      }),
    ),
  )
}

async function printReport(options: LiabilityOptions, output: Output, { db, now }: Deployment): Promise<void> {
  const { program_id } = await findProgramNamed(db, options.program)
  const key = { program_id, day: options.on ?? dayOf(now) }
  if (key.day > dayOf(now)) throw new CliError(`${key.day} has not begun yet.`)
  const liability = createLiability({ db, clock: { now: () => now } })
  await liability.ask(key, options.again)
  const report = await finish(liability, createMake({ db }).step, key, options)
  if (report.state === 'differs') {
    output.note('The wallets do not tie to the ledger: run nuqta ledger verify --figures.')
    output.code = 1
  }
  if (options.csv !== true) output.result(report, describe(summaryOf(report)))
  else for await (const line of await liability.lines(key)) options.shell.stdout.write(line)
}

/** Takes the steps of a report, or lets the service take them. */
async function finish(
  { read }: Liability,
  step: (program_id: number) => Promise<boolean>,
  key: ReportKey,
  { age, json = false, shell: { stderr } }: LiabilityOptions,
): Promise<WholeReportView> {
  const shows = !json && stderr.isTTY === true
  for (;;) {
    const report = await read(key, age)
    if (shows) stderr.write('\r\u001b[K')
    if (report.state === 'complete' || report.state === 'differs') return report
    if (shows) stderr.write(`${Math.floor(report.progress * 100)} % of the ledger is added up …`)
    if (!(await step(key.program_id))) await sleep(poll_ms)
  }
}

/** The report without its months, which are for `--json` and `--csv`. */
function summaryOf({
  months: _months,
  earlier: _earlier,
  breakage,
  ...report
}: WholeReportView): Record<string, unknown> {
  return { ...report, breakage: breakage.until_month === null ? 'no month is so old yet' : breakage }
}
