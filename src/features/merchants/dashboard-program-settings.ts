import Type, { type Static } from 'typebox'
import { addDays, type Day, dayOf } from '../../domain/day.ts'
import { refuseFields } from '../../domain/failures.ts'
import { parsePercent, toPercent } from '../../domain/fees.ts'
import { max_operator_characters, readOperatorText } from '../../domain/operator.ts'
import { parseSarPerPoint, toSarPerPoint } from '../../domain/points.ts'
import { max_adjustments_over } from '../../domain/proposal.ts'
import { max_rate_days_ahead, rateAt } from '../../domain/rates.ts'
import { max_remembered_limit } from '../../domain/remembered.ts'
import {
  boolean,
  integer,
  isDay,
  line,
  nullable,
  object,
  oneOf,
  optional,
  refine,
  text,
} from '../../http/api/fields.ts'
import type { ProgramRequest, StaffRequest } from '../../http/dashboard/route.ts'
import { checkVersion, sentVersion, versionField, withVersion } from '../../http/dashboard/version.ts'
import type { Clock } from '../../lib/clock.ts'
import { viewWaiting, waitingSchema } from '../proposals/view.ts'
import type { ProgramChanges, ProgramRow } from './program-queries.ts'
import type { ChangedProgram, ProgramSettings } from './program-settings.ts'
import { max_name } from './programs.ts'

/** What operators change of their programs. */
export interface ProgramSettingsServices {
  readonly clock: Clock
  readonly programSettings: ProgramSettings
}

const percentage = Type.Number({ description: 'A percentage, 0 to 100, with up to two decimals.' })

const settingsSchema = {
  name: Type.String(),
  activation: oneOf(['automatic', 'required']),
  locale: oneOf(['ar', 'en']),
  operator_name: nullable(Type.String()),
  operator_contact: nullable(Type.String()),
  remembered_limit: Type.Integer({
    description: 'Points that a remembered browser may spend in 24 hours without a code; 0 for none.',
  }),
  fees: Type.Object(
    { earn: percentage, redeem: percentage, vat: percentage },
    { description: 'Of the value of points issued and redeemed; the VAT is on these fees.' },
  ),
  two_person: Type.Object(
    {
      rates: Type.Boolean(),
      settlements: Type.Boolean(),
      adjustments_over: nullable(Type.Integer({ description: 'Adjustments of more points need a second person.' })),
    },
    { description: 'What needs a second person.' },
  ),
  version: versionField,
}

function view(row: ProgramRow) {
  const { name, activation, locale, operator_name, operator_contact, remembered_limit } = row
  return {
    ...{ name, activation, locale, operator_name, operator_contact, remembered_limit },
    fees: { earn: toPercent(row.fee_earn_bp), redeem: toPercent(row.fee_redeem_bp), vat: toPercent(row.fee_vat_bp) },
    two_person: {
      rates: row.two_person_rates,
      settlements: row.two_person_settlements,
      adjustments_over: row.two_person_adjustments_over,
    },
  }
}

export const readProgramSettings = {
  tag: 'Programs',
  summary: 'Read the settings of a program',
  data: Type.Object(settingsSchema, { title: 'ProgramSettings' }),
  async handle({ program }: ProgramRequest, { programSettings }: ProgramSettingsServices) {
    return withVersion(view(await programSettings.read(program.program_id)))
  },
} as const

const isOperatorLine = (value: unknown): boolean => typeof value !== 'string' || readOperatorText(value) !== null
const operatorLine = () => optional(refine(text({ max: max_operator_characters }), 'one_line', isOperatorLine))
const isPercent = (value: unknown): boolean => typeof value !== 'number' || parsePercent(value) !== null
const percent = () => refine(Type.Number({ minimum: 0, maximum: 100 }), 'percent', isPercent)

const change = object({
  version: sentVersion(),
  activation: oneOf(['automatic', 'required']),
  locale: oneOf(['ar', 'en']),
  operator_name: operatorLine(),
  operator_contact: operatorLine(),
  remembered_limit: integer({ min: 0, max: max_remembered_limit }),
  fees: object({ earn: percent(), redeem: percent(), vat: percent() }),
  two_person: object({
    rates: boolean(),
    settlements: boolean(),
    adjustments_over: optional(integer({ min: 0, max: max_adjustments_over })),
  }),
})

const proposals = Type.Array(waitingSchema, { description: 'What of the change waits for a second person.' })

export const changeProgramSettings = {
  tag: 'Programs',
  summary: 'Change the settings of a program',
  description:
    'Send all of them: a name, a contact or a number of points that is not sent is removed. What weakens the rule of two people needs a second person itself.',
  body: change,
  data: Type.Object({ ...settingsSchema, proposals }, { title: 'ChangedProgramSettings' }),
  failures: ['stale', 'proposals_full'],
  async handle(
    { program, body, actor }: ProgramRequest<Static<typeof change>>,
    { programSettings, clock }: ProgramSettingsServices,
  ) {
    const changed = await programSettings.change(program.program_id, {
      ...{ changes: changesOf(body), now: clock.now(), by: actor },
      check: (was) => checkVersion(body.version, view(was)),
    })
    return { ...withVersion(view(changed.program)), proposals: changed.proposals.map(viewWaiting) }
  },
} as const

function changesOf({ activation, locale, fees, two_person, ...body }: Static<typeof change>): ProgramChanges {
  return {
    ...{ activation, locale, remembered_limit: body.remembered_limit },
    ...{ operator_name: body.operator_name ?? null, operator_contact: body.operator_contact ?? null },
    fee_earn_bp: parsePercent(fees.earn) ?? 0,
    fee_redeem_bp: parsePercent(fees.redeem) ?? 0,
    fee_vat_bp: parsePercent(fees.vat) ?? 0,
    two_person_rates: two_person.rates,
    two_person_settlements: two_person.settlements,
    two_person_adjustments_over: two_person.adjustments_over ?? null,
  }
}

const day = () => Type.String({ format: 'date' })
const rateSchema = {
  begins_on: day(),
  sar_per_point: Type.Number(),
}
const ratesSchema = {
  today: day(),
  last_day: Type.String({ format: 'date', description: 'The last day on which a new rate may begin.' }),
  sar_per_point: Type.Number({ description: 'What a point is worth now.' }),
  rates: Type.Array(Type.Object(rateSchema), { description: 'The latest ones, the last first.' }),
}

function viewRates({ rates }: ProgramRow, now: Date) {
  return {
    today: dayOf(now),
    last_day: addDays(dayOf(now), max_rate_days_ahead),
    sar_per_point: toSarPerPoint(rateAt(rates, now)),
    rates: rates.map(({ begins_on, micro_sar_per_point }) => ({
      begins_on,
      sar_per_point: toSarPerPoint(micro_sar_per_point),
    })),
  }
}

export const readProgramRates = {
  tag: 'Programs',
  summary: 'Read what a point of a program is worth, by the days on which rates begin',
  data: Type.Object(ratesSchema, { title: 'ProgramRates' }),
  async handle({ program }: ProgramRequest, { programSettings, clock }: ProgramSettingsServices) {
    return viewRates(await programSettings.read(program.program_id), clock.now())
  },
} as const

const isValue = (value: unknown): boolean => typeof value !== 'number' || parseSarPerPoint(value) !== null
const newRate = object({
  begins_on: refine(
    Type.String({ description: 'A day in Riyadh, today or later.', examples: ['2027-01-31'] }),
    'day',
    isDay,
  ),
  sar_per_point: refine(
    Type.Number({ description: '0.0001 to 1,000, with up to six decimals.' }),
    'point_value',
    isValue,
  ),
})

export const addProgramRate = {
  tag: 'Programs',
  summary: 'Fix what a point is worth from a day on',
  description:
    'It replaces the rate of the same day. Where the program asks for two people it only waits: `proposals` says so.',
  body: newRate,
  data: Type.Object({ ...ratesSchema, proposals }, { title: 'ChangedProgramRates' }),
  failures: ['validation', 'proposals_full'],
  async handle(
    { program, body, actor, once }: ProgramRequest<Static<typeof newRate>>,
    { programSettings, clock }: ProgramSettingsServices,
  ) {
    const now = clock.now()
    const micro_sar_per_point = parseSarPerPoint(body.sar_per_point)
    if (micro_sar_per_point === null) return refuseFields({ field: 'sar_per_point', rule: 'point_value' })
    const viewChanged = (changed: ChangedProgram) => ({
      ...viewRates(changed.program, now),
      proposals: changed.proposals.map(viewWaiting),
    })
    return viewChanged(
      await programSettings.change(program.program_id, {
        rate: { begins_on: body.begins_on as Day, micro_sar_per_point },
        ...{ now, by: actor, beforeCommit: once.keeping(viewChanged) },
      }),
    )
  },
} as const

const newProgram = object({ name: line({ max: max_name }) })

export const createOneProgram = {
  tag: 'Programs',
  summary: 'Make a program: a points currency with its customers and merchants',
  body: newProgram,
  data: Type.Object({ program_id: Type.Integer(), name: Type.String() }),
  failures: ['validation'],
  async handle({ body, actor }: StaffRequest<Static<typeof newProgram>>, { programSettings }: ProgramSettingsServices) {
    const made = await programSettings.create(body.name, actor)
    if (made === null) return refuseFields({ field: 'name', rule: 'taken' })
    return { program_id: made.program_id, name: made.name }
  },
} as const
