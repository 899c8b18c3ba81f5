import Type from 'typebox'
import { type Day, dayOf as dayAt, parseDay } from '../../domain/day.ts'
import { DomainError } from '../../domain/failures.ts'
import { nullable, oneOf, refine } from '../../http/api/fields.ts'
import { Download } from '../../http/dashboard/answers.ts'
import { afterDay, limitOf, listPagination, listQuery, pageOf } from '../../http/dashboard/list.ts'
import type { ProgramRequest } from '../../http/dashboard/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { default_age_months, type Liability, max_age_months } from './service.ts'

export interface DashboardLiabilityServices {
  readonly liability: Liability
  readonly clock: Clock
}

const points = Type.Number()
const sar = Type.Number()
const count = Type.Integer()
const share = nullable(Type.Number({ description: 'A share of 1; null of nothing.' }))
const report = {
  program_id: count,
  day: Type.String({ description: 'A day in Riyadh, as 2026-01-31.' }),
  until: Type.String({ description: 'What was posted to the ledger before this instant is counted.' }),
  is_final: Type.Boolean({ description: 'Whether that is the end of the day, so that the numbers never change.' }),
  state: oneOf(['waiting', 'making', 'complete', 'differs']),
  progress: Type.Number({ description: 'From 0 to 1.' }),
  completed_at: nullable(Type.String()),
  sar_per_point: sar,
  outstanding_points: points,
  outstanding_value: sar,
  owed_points: Type.Number({ description: 'Of the wallets above zero.' }),
  owed_value: sar,
  receivable_points: Type.Number({ description: 'Of the wallets below zero, as a positive number.' }),
  receivable_value: sar,
  held_points: Type.Number({ description: 'Held for open orders; part of the owed points.' }),
  wallets: count,
  wallets_below_zero: count,
}
const month = Type.Object({
  month: nullable(Type.String({ description: 'As 2026-01; null for the sum of the earlier months.' })),
  issued_points: points,
  returned_points: points,
  redeemed_points: points,
  reversed_points: points,
  adjusted_points: points,
  outstanding_points: Type.Number({ description: 'At the end of the month.' }),
  kept_points: Type.Number({ description: 'Issued in the month, less what was taken back of it since.' }),
  left_points: Type.Number({ description: 'Of these, what is left in wallets at the end of the day of the report.' }),
  left_share: share,
  left_value: sar,
  left_value_recorded: Type.Number({ description: 'At the rates that were recorded with the entries.' }),
})
const whole = Type.Object({
  ...report,
  owed_value_recorded: sar,
  breakage: Type.Object({
    age_months: count,
    until_month: nullable(Type.String()),
    kept_points: points,
    left_points: points,
    left_share: share,
    left_value: sar,
  }),
  earlier: nullable(month),
  months: Type.Array(month, { description: 'The last 24 months.' }),
})

const isAge = (value: unknown): boolean =>
  typeof value !== 'string' || (/^[1-9][0-9]{0,2}$/.test(value) && Number(value) <= max_age_months)
const ageQuery = Type.Object({
  age_months: Type.Optional(
    refine(
      Type.String({ description: `Older points count as breakage so far; ${default_age_months} without it.` }),
      'integer',
      isAge,
    ),
  ),
})
const reportsQuery = Type.Object({ ...listQuery, after: afterDay })

/** The stored reports of a program. */
export const listReports = {
  tag: 'Liability',
  summary: "List the stored reports of a program's liability, the last day first",
  query: reportsQuery,
  data: Type.Array(Type.Object(report)),
  pagination: {
    ...listPagination,
    today: Type.String({ description: 'The day in Riyadh, by the clock of the service.' }),
  },
  async handle(
    { program, query }: ProgramRequest<undefined, 'programId', Type.Static<typeof reportsQuery>>,
    { liability, clock }: DashboardLiabilityServices,
  ) {
    const limit = limitOf(query)
    const before = query.after === undefined ? null : dayOf(query.after)
    return pageOf(await liability.list(program.program_id, before, limit + 1), {
      limit,
      view: (one) => one,
      cursor: ({ day }) => day,
      beside: { today: dayAt(clock.now()) },
    })
  },
} as const

/** One report with its months. */
export const readOneReport = {
  tag: 'Liability',
  summary: "Read the report of a program's liability at the end of a day",
  description: 'Until it is complete, its numbers are those of the part of the ledger that has been added up.',
  query: ageQuery,
  data: whole,
  handle(
    { program, params, query }: ProgramRequest<undefined, 'programId' | 'day', Type.Static<typeof ageQuery>>,
    { liability }: DashboardLiabilityServices,
  ) {
    const age_months = query.age_months === undefined ? default_age_months : Number(query.age_months)
    return liability.read({ program_id: program.program_id, day: dayOf(params.day) }, age_months)
  },
} as const

/** Asks for a report, which a worker makes. */
export const askForReport = {
  tag: 'Liability',
  summary: "Ask for the report of a program's liability at the end of a day",
  description:
    'A report that is there stays as it is, unless its day was not over, its sums do not agree, or `again` is true. ' +
    'Of a past day the numbers are the same each time.',
  body: Type.Object({ again: Type.Optional(Type.Boolean()) }),
  body_optional: true,
  data: Type.Object(report),
  handle(
    { program, params, body }: ProgramRequest<{ readonly again?: boolean }, 'programId' | 'day'>,
    { liability }: DashboardLiabilityServices,
  ) {
    return liability.ask({ program_id: program.program_id, day: dayOf(params.day) }, body.again)
  },
} as const

/** All months of a complete report as a file for a spreadsheet. */
export const downloadReport = {
  tag: 'Liability',
  summary: "Download all months of a report of a program's liability as CSV",
  data: Type.Object({}),
  async handle(
    { program, params }: ProgramRequest<undefined, 'programId' | 'day'>,
    { liability }: DashboardLiabilityServices,
  ) {
    const day = dayOf(params.day)
    const chunks = await liability.lines({ program_id: program.program_id, day })
    return new Download({ filename: `liability-${day}.csv`, type: 'text/csv; charset=utf-8', chunks })
  },
} as const

function dayOf(text: string): Day {
  const day = parseDay(text)
  if (day === null) throw new DomainError({ kind: 'not_found' })
  return day
}
