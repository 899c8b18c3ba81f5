import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Day, dayOf } from '../domain/day.ts'
import { DomainError } from '../domain/failures.ts'
import { toPercent } from '../domain/fees.ts'
import type { Locale } from '../domain/locale.ts'
import { type MicroSarPerPoint, toSarPerPoint } from '../domain/points.ts'
import { max_adjustments_over } from '../domain/proposal.ts'
import { type Rate, rateAt } from '../domain/rates.ts'
import { max_remembered_limit } from '../domain/remembered.ts'
import type { ProgramChanges, ProgramRow } from '../features/merchants/program-queries.ts'
import { createProgram, findProgramNamed, listPrograms, setProgram } from '../features/merchants/programs.ts'
import { CliError } from '../lib/errors.ts'
import {
  addChange,
  addCommand,
  addExamples,
  addGroup,
  addPaging,
  type CommonOptions,
  describe,
  numberCursor,
  type PageOptions,
  printPage,
  withOutput,
} from './command.ts'
import { withDeployment } from './deployment.ts'
import { addProgramWebhook } from './program-webhook.ts'
import { printProposal } from './proposal.ts'
import { day, isOn, onOff, operatorText, percent, sarPerPoint, whole, wholeOrOff } from './values.ts'

interface SetOptions extends CommonOptions {
  readonly activation?: 'automatic' | 'required'
  readonly sarPerPoint?: MicroSarPerPoint
  readonly from?: Day
  readonly locale?: Locale
  readonly operatorName?: string
  readonly operatorContact?: string
  readonly rememberedLimit?: number
  readonly feeEarn?: number
  readonly feeRedeem?: number
  readonly feeVat?: number
  readonly twoPersonRates?: 'on' | 'off'
  readonly twoPersonSettlements?: 'on' | 'off'
  /** -1 for none. */
  readonly twoPersonAdjustmentsOver?: number
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
          const program = await createProgram(db, { name, environment, now, by })
          output.result(viewProgram(program, now), describeProgram(program, now))
        },
        { creates: true },
      ),
    ),
  )
  const list = addPaging(addCommand(group, 'list', 'list programs, the newest first'))
  list.action((options: CommonOptions & PageOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db, now }) => {
        const before = numberCursor(options) ?? Number.POSITIVE_INFINITY
        const newest = (await listPrograms(db))
          .filter(({ program_id }) => program_id < before)
          .sort((a, b) => b.program_id - a.program_id)
        printPage(output, options, newest, {
          what: 'programs',
          row: (row) => output.result(viewProgram(row, now), lineOf(row, now)),
          cursor: ({ program_id }) => program_id,
        })
      }),
    ),
  )
  addShow(group)
  addSet(group)
  addProgramWebhook(group)
}

function addShow(group: Command): void {
  const show = addCommand(group, 'show <program>', 'show a program, by its name')
  addExamples(show, ['nuqta program show Mall', 'nuqta program show Mall --json'])
  show.action((name: string, options: CommonOptions) =>
    withOutput(options, (output) =>
      withDeployment(options, output, async ({ db, now }) => {
        const program = await findProgramNamed(db, name)
        output.result(viewProgram(program, now), describeProgram(program, now))
      }),
    ),
  )
}

/** A program in one line, with what a point is worth now and from later days on. */
function lineOf(row: ProgramRow, now: Date): string {
  const { program_id, name, activation, sar_per_point, locale } = viewProgram(row, now)
  const later = waiting(row, now).map((rate) => `, ${sarOf(rate)} from ${rate.begins_on}`)
  return `${String(program_id).padStart(6)}  ${name}  (${activation}, ${sar_per_point} SAR a point${later.join('')}, ${locale})`
}

/** The rates that wait for their day, the next one first. */
function waiting({ rates }: ProgramRow, now: Date): Rate[] {
  return rates.filter(({ begins_on }) => begins_on > dayOf(now)).toReversed()
}

function sarOf({ micro_sar_per_point }: Rate): number {
  return toSarPerPoint(micro_sar_per_point)
}

function describeProgram(row: ProgramRow, now: Date): string[] {
  const { rates, ...view } = viewProgram(row, now)
  return describe({
    ...view,
    rates: rates.map((rate) => `${rate.sar_per_point} from ${rate.begins_on}`).join(', '),
  })
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
    .option('--from <day>', 'the day in Riyadh from which it does (default: today)', day)
    .addOption(new Option('--locale <locale>', 'language of its events and messages').choices(['ar', 'en']))
    .option('--operator-name <name>', 'who runs it, for its pages and its terms; none: as the deployment', operatorText)
    .option('--operator-contact <contact>', 'an e-mail address, a phone number or an https link; none', operatorText)
    .option(
      '--remembered-limit <points>',
      'what a remembered browser may spend in 24 hours without a code; 0 for nothing',
      whole(0, max_remembered_limit),
    )
    .option('--fee-earn <percent>', 'what the program takes of the value of points that a merchant issues', percent)
    .option('--fee-redeem <percent>', 'what it takes of the value of points that are redeemed there', percent)
    .option('--fee-vat <percent>', 'the VAT on these fees', percent)
    .addOption(onOff('--two-person-rates', 'whether a new rate needs a second person'))
    .addOption(onOff('--two-person-settlements', 'whether closing a settlement needs one'))
    .option(
      '--two-person-adjustments-over <points>',
      'adjustments of more points need a second person; off: none does',
      wholeOrOff(0, max_adjustments_over),
    )
  addExamples(set, [
    'nuqta program set Default --activation required',
    'nuqta program set Mall --sar-per-point 0.01 --from 2027-01-01',
    'nuqta program set Mall --fee-redeem 2.5 --two-person-rates on --two-person-adjustments-over 5000',
    "nuqta program set Mall --operator-name 'Mall Company' --operator-contact help@mall.example",
  ])
  set.action((name: string, options: SetOptions) =>
    withOutput(options, (output) => {
      const changes = changesOf(options)
      const { sarPerPoint: micro_sar_per_point, from: begins_on } = options
      if (begins_on !== undefined && micro_sar_per_point === undefined)
        throw new InvalidArgumentError('--from says when --sar-per-point begins: name both.')
      if (Object.keys(changes).length === 0 && micro_sar_per_point === undefined)
        throw new InvalidArgumentError('Nothing to set: see nuqta program set --help.')
      const rate = micro_sar_per_point === undefined ? undefined : { micro_sar_per_point, begins_on }
      return withDeployment(options, output, async ({ db, now, by }) => {
        const change = { changes, rate, now, by }
        const { program, proposals } = await setProgram(db, name, change).catch(explainDay(begins_on))
        output.result(viewProgram(program, now), describeProgram(program, now))
        for (const proposal of proposals) printProposal(output, proposal, now)
      })
    }),
  )
}

/** Names the option in place of the field. */
function explainDay(day: Day | undefined): (error: unknown) => never {
  return (error) => {
    const [mistake] = error instanceof DomainError && error.failure.kind === 'validation' ? error.failure.errors : []
    if (mistake?.rule === 'day_past')
      throw new CliError(`The day ${day} of --from is over in Riyadh: name today or a later day.`)
    if (mistake?.rule === 'days_ahead')
      throw new CliError(`The day ${day} of --from is too far away: name one of the next ${mistake.limit} days.`)
    throw error
  }
}

function changesOf(options: SetOptions): ProgramChanges {
  const { activation, locale, twoPersonAdjustmentsOver: over } = options
  const named = (text: string | undefined): string | null | undefined => (text === '' ? null : text)
  const operator = { operator_name: named(options.operatorName), operator_contact: named(options.operatorContact) }
  const rule = {
    two_person_rates: isOn(options.twoPersonRates),
    two_person_settlements: isOn(options.twoPersonSettlements),
    two_person_adjustments_over: over === -1 ? null : over,
  }
  const fees = { fee_earn_bp: options.feeEarn, fee_redeem_bp: options.feeRedeem, fee_vat_bp: options.feeVat }
  const all = { activation, locale, ...operator, remembered_limit: options.rememberedLimit, ...fees, ...rule }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function viewProgram(row: ProgramRow, now: Date) {
  const { program_id, name, activation, locale, operator_name, operator_contact } = row
  const sar_per_point = toSarPerPoint(rateAt(row.rates, now))
  const rates = row.rates.map((rate) => ({ begins_on: rate.begins_on, sar_per_point: sarOf(rate) }))
  return {
    ...{ program_id, name, activation, sar_per_point, locale, operator_name, operator_contact },
    remembered_limit: row.remembered_limit,
    ...{ fee_earn: toPercent(row.fee_earn_bp), fee_redeem: toPercent(row.fee_redeem_bp) },
    fee_vat: toPercent(row.fee_vat_bp),
    ...{ two_person_rates: row.two_person_rates, two_person_settlements: row.two_person_settlements },
    two_person_adjustments_over: row.two_person_adjustments_over,
    rates,
  }
}
