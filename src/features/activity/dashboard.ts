import Type from 'typebox'
import { type Figures, longest_period_days } from '../../domain/activity.ts'
import { addDays, type Day, dayOf, daysBetween, daysOfMonthBefore, parseDay, periodBefore } from '../../domain/day.ts'
import { refuseFields } from '../../domain/failures.ts'
import type { Locale } from '../../domain/locale.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { nullable, oneOf } from '../../http/api/fields.ts'
import { Download } from '../../http/dashboard/answers.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { csvFile } from '../../lib/csv.ts'
import { type ExactNumber, exactNumber } from '../../lib/exact-number.ts'
import { type ChecklistItem, checklistItems } from './checklist.ts'
import type { ComparedPeriod, DayOfOverview, Overview, PeriodFigures } from './overview.ts'

export interface ActivityServices {
  readonly clock: Clock
  readonly readOverview: (merchant: MerchantKey, compared: ComparedPeriod) => Promise<Overview>
  readonly readChecklist: (merchant: MerchantKey) => Promise<readonly ChecklistItem[]>
}

const default_days = 30

export const periodQuery = Type.Object({
  from: Type.Optional(Type.String({ description: 'The first day, in Riyadh, such as 2026-01-31.' })),
  to: Type.Optional(
    Type.String({ description: 'The last day; today without it, and if the period has days to come.' }),
  ),
  days: Type.Optional(Type.String({ description: `So many days until the last; ${default_days} without \`from\`.` })),
})
export type PeriodQuery = { readonly days?: string; readonly from?: string; readonly to?: string }

const count = Type.Integer()
const sar = Type.Number()
const day = Type.String({ description: 'A day in Riyadh, as 2026-01-31.' })
/** The figures as the API names them. */
const figureFields = {
  purchases: count,
  ratings: count,
  checkouts: count,
  refunds: count,
  sales: sar,
  redeemed_amount: sar,
  refunded_amount: sar,
  issued_points: count,
  redeemed_points: count,
  reversed_points: count,
  returned_points: count,
  new_customers: count,
  returning_customers: count,
}
const period = Type.Object({ from: day, to: day })
const totals = Type.Object(figureFields)

/** The figures of a period, of a merchant or of all together. */
export const periodFields = {
  today: day,
  period,
  before: Type.Object(
    { from: day, to: day },
    {
      description:
        'With which it is compared: the month before a month or, before its first days, the same days of it; else equal.',
    },
  ),
  as_of: nullable(Type.String(), {
    description: 'The figures contain everything until then; null before the first figures are complete.',
  }),
  building: Type.Boolean({ description: 'True while the figures are made for the first time, or again.' }),
  totals,
  totals_before: totals,
  days: Type.Array(Type.Object({ day, ...figureFields })),
}

export function viewPeriod(found: PeriodFigures, clock: Clock) {
  return {
    today: dayOf(clock.now()),
    ...{ period: found.period, before: found.before, building: found.building },
    as_of: found.as_of?.toISOString() ?? null,
    totals: viewOf(found.totals),
    totals_before: viewOf(found.totals_before),
    days: found.days.map((one) => ({ day: one.day, ...viewOf(one) })),
  }
}

/** The figures of the overview page. */
export const readOneOverview = {
  tag: 'Overview',
  summary: "Read a merchant's figures by day",
  description: `The last ${default_days} days unless \`from\` and \`to\` say others; at most ${longest_period_days} days.`,
  query: periodQuery,
  data: Type.Object({
    ...periodFields,
    balance_points: Type.Number({ description: 'Points ever issued here, less those redeemed here.' }),
  }),
  async handle({ merchant, query }: MerchantRequest<undefined, 'merchantId', PeriodQuery>, services: ActivityServices) {
    const found = await services.readOverview(merchant, periodOf(query, services.clock))
    return {
      ...viewPeriod(found, services.clock),
      balance_points: exactNumber(BigInt(found.balance_points), 0),
    }
  },
} as const

/** The days of the overview as a file for a spreadsheet. */
export const downloadOverview = {
  tag: 'Overview',
  summary: "Download a merchant's figures by day as CSV",
  query: periodQuery,
  data: Type.Object({}),
  async handle(
    { merchant, query, locale }: MerchantRequest<undefined, 'merchantId', PeriodQuery>,
    services: ActivityServices,
  ) {
    const { period, days } = await services.readOverview(merchant, periodOf(query, services.clock))
    const filename = `overview-${period.from}-${period.to}.csv`
    return new Download({ filename, type: 'text/csv; charset=utf-8', chunks: linesOf(days, locale) })
  },
} as const

/** What the integration has done so far. */
export const readOneChecklist = {
  tag: 'Overview',
  summary: 'Read which steps of the integration have really happened',
  data: Type.Array(
    Type.Object({
      item: oneOf([...checklistItems]),
      done: Type.Boolean(),
      at: nullable(Type.String(), { description: 'An instant, or a day where no more is known.' }),
    }),
  ),
  handle({ merchant }: MerchantRequest<undefined, 'merchantId'>, { readChecklist }: ActivityServices) {
    return readChecklist(merchant)
  },
} as const

/** The days that are asked for, and those with which they are compared. Throws a DomainError for days that are none, or too many. */
export function periodOf({ from, to, days }: PeriodQuery, clock: Clock): ComparedPeriod {
  const today = dayOf(clock.now())
  const last = dayOfField('to', to) ?? today
  const period = { from: dayOfField('from', from) ?? addDays(last, 1 - lengthOf(days)), to: last }
  const length = daysBetween(period.from, period.to)
  if (length < 1) refuseFields({ field: 'from', rule: 'days_in_order' })
  if (length > longest_period_days) refuseFields({ field: 'from', rule: 'max_days', limit: longest_period_days })
  // On days to come nothing was sold: with them, a month that is not over would look bad beside the one before.
  if (period.from <= today && today < last) period.to = today
  // So many days until a day are no month, also where they begin with one.
  const before = from === undefined ? null : daysOfMonthBefore(period)
  return { period, before: before ?? periodBefore(period) }
}

function lengthOf(days: string | undefined): number {
  if (days === undefined) return default_days
  if (!/^[1-9][0-9]{0,2}$/.test(days)) refuseFields({ field: 'days', rule: 'integer' })
  const length = Number(days)
  if (length > longest_period_days) refuseFields({ field: 'days', rule: 'max_numeric', limit: longest_period_days })
  return length
}

function dayOfField(field: 'from' | 'to', text: string | undefined): Day | null {
  if (text === undefined) return null
  const day = parseDay(text)
  if (day === null) return refuseFields({ field, rule: 'day' })
  return day
}

function viewOf(day: Figures): Record<keyof typeof figureFields, ExactNumber> {
  const { sales_halalas, redeemed_halalas, refunded_halalas, ...rest } = day
  return {
    ...rest,
    sales: exactNumber(sales_halalas, 2),
    redeemed_amount: exactNumber(redeemed_halalas, 2),
    refunded_amount: exactNumber(refunded_halalas, 2),
    issued_points: exactNumber(day.issued_points, 0),
    redeemed_points: exactNumber(day.redeemed_points, 0),
    reversed_points: exactNumber(day.reversed_points, 0),
    returned_points: exactNumber(day.returned_points, 0),
  }
}

/** What each figure is called in the file, with its unit. */
const columns: Readonly<Record<Locale, Readonly<Record<keyof typeof figureFields, string>>>> = {
  en: {
    purchases: 'Purchases',
    ratings: 'Ratings',
    checkouts: 'Checkouts',
    refunds: 'Refunds',
    sales: 'Sales (SAR)',
    redeemed_amount: 'Paid with points (SAR)',
    refunded_amount: 'Refunded (SAR)',
    issued_points: 'Points issued',
    redeemed_points: 'Points redeemed',
    reversed_points: 'Points taken back',
    returned_points: 'Points returned',
    new_customers: 'New customers',
    returning_customers: 'Customers who bought again',
  },
  ar: {
    purchases: 'عمليات الشراء',
    ratings: 'التقييمات',
    checkouts: 'عمليات صفحة الدفع',
    refunds: 'عمليات الاسترداد',
    sales: 'المبيعات (ر.س)',
    redeemed_amount: 'المدفوع بالنقاط (ر.س)',
    refunded_amount: 'المسترد (ر.س)',
    issued_points: 'النقاط الممنوحة',
    redeemed_points: 'النقاط المستبدلة',
    reversed_points: 'النقاط المسحوبة',
    returned_points: 'النقاط المعادة',
    new_customers: 'عملاء جدد',
    returning_customers: 'عملاء اشتروا مرة ثانية',
  },
}
const dayColumn: Readonly<Record<Locale, string>> = { en: 'Day', ar: 'اليوم' }

function linesOf(days: readonly DayOfOverview[], locale: Locale): AsyncGenerator<string> {
  const names = Object.keys(figureFields) as (keyof typeof figureFields)[]
  const records = days.map((one) => {
    const view = viewOf(one)
    return [one.day, ...names.map((name) => view[name])]
  })
  return csvFile([dayColumn[locale], ...names.map((name) => columns[locale][name])], [records])
}
