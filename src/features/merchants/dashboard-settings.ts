import Type, { type Static } from 'typebox'
import { max_return_hosts, parseReturnHost } from '../../domain/checkout-request.ts'
import { asHalalas } from '../../domain/money.ts'
import { asPoints, parsePointsPerSar, pointsEarned, toPointsPerSar } from '../../domain/points.ts'
import { integer, object, optional, refine, text } from '../../http/api/fields.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import { checkVersion, sentVersion, versionField, withVersion } from '../../http/dashboard/version.ts'
import { flowColumns, flowsChange, flowsSchema } from './flows-view.ts'
import { flowsOf } from './merchant.ts'
import type { MerchantChanges, MerchantRow } from './queries.ts'
import type { MerchantSettings } from './settings.ts'

export interface MerchantSettingsServices {
  readonly merchantSettings: MerchantSettings
}

/** The bounds are those of `nuqta merchant set`. */
const max_rating_points = 1_000_000_000
const max_refund_days = 3_650

/** The purchase that shows what a rate means: 100 SAR. */
const example_halalas = asHalalas(10_000)

const settings = Type.Object(
  {
    points_per_sar: Type.Number({ examples: [10] }),
    product_rating_points: Type.Integer(),
    store_rating_points: Type.Integer(),
    flows: flowsSchema,
    refund_window_days: Type.Integer(),
    return_hosts: Type.Array(Type.String(), { description: 'Where checkouts may return to; empty for any host.' }),
    example_points: Type.Integer({ description: 'What a purchase of 100 SAR earns.' }),
    version: versionField,
  },
  { title: 'EarningSettings' },
)

function view(row: MerchantRow) {
  return {
    points_per_sar: toPointsPerSar(row.points_per_sar_e4),
    product_rating_points: row.product_rating_points,
    store_rating_points: row.store_rating_points,
    flows: flowsOf(row),
    refund_window_days: row.refund_window_days,
    return_hosts: row.return_hosts,
    example_points: pointsEarned(example_halalas, row.points_per_sar_e4),
  }
}

export const readEarningSettings = {
  tag: 'Settings',
  summary: 'Read how a merchant awards points',
  data: settings,
  async handle({ merchant }: MerchantRequest, { merchantSettings }: MerchantSettingsServices) {
    return withVersion(view(await merchantSettings.read(merchant)))
  },
} as const

const ratingPoints = () => optional(integer({ min: 0, max: max_rating_points }))
const isRate = (value: unknown): boolean => typeof value !== 'number' || parsePointsPerSar(value) !== null
const isHost = (value: unknown): boolean => typeof value !== 'string' || parseReturnHost(value) !== null

const change = object({
  version: sentVersion(),
  points_per_sar: optional(
    refine(Type.Number({ description: '0 to 100,000, with up to four decimals.' }), 'points_rate', isRate),
  ),
  product_rating_points: ratingPoints(),
  store_rating_points: ratingPoints(),
  flows: optional(flowsChange),
  refund_window_days: optional(integer({ min: 0, max: max_refund_days })),
  return_hosts: optional(
    Type.Array(refine(text({ max: 300 }), 'host', isHost), {
      maxItems: max_return_hosts,
      description: 'All of them: they replace the earlier ones. Empty for any host.',
    }),
  ),
})

export const changeEarningSettings = {
  tag: 'Settings',
  summary: 'Change how a merchant awards points',
  description: 'What is not sent stays as it is. The change counts from the next request on.',
  body: change,
  data: settings,
  failures: ['stale'],
  async handle(
    { merchant, body, actor }: MerchantRequest<Static<typeof change>>,
    { merchantSettings }: MerchantSettingsServices,
  ) {
    const check = (was: MerchantRow) => checkVersion(body.version, view(was))
    return withVersion(view(await merchantSettings.change(merchant, changesOf(body), { by: actor, check })))
  },
} as const

function changesOf(body: Static<typeof change>): MerchantChanges {
  const { points_per_sar, product_rating_points, store_rating_points, flows, refund_window_days, return_hosts } = body
  const rate = points_per_sar === undefined ? undefined : parsePointsPerSar(points_per_sar)
  const all = {
    points_per_sar_e4: rate ?? undefined,
    product_rating_points: product_rating_points === undefined ? undefined : asPoints(product_rating_points),
    store_rating_points: store_rating_points === undefined ? undefined : asPoints(store_rating_points),
    ...flowColumns(flows),
    refund_window_days,
    return_hosts: return_hosts === undefined ? undefined : hostsOf(return_hosts),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** As browsers write them, each once. */
function hostsOf(typed: readonly string[]): string[] {
  return [...new Set(typed.map(parseReturnHost).filter((host) => host !== null))]
}
