import Type, { type Static } from 'typebox'
import { parseColour } from '../../domain/colour.ts'
import type { Locale } from '../../domain/locale.ts'
import { type Merchant, max_merchant_name } from '../../domain/merchant.ts'
import { asHalalas, NO_MONEY } from '../../domain/money.ts'
import { asPoints, NO_POINTS } from '../../domain/points.ts'
import { rateAt } from '../../domain/rates.ts'
import { after, minute_ms } from '../../domain/spans.ts'
import type { CheckoutMerchant, CheckoutView } from '../../features/checkout/view.ts'
import type { Brand } from '../../features/merchants/brand.ts'
import type { MerchantSettingsServices } from '../../features/merchants/dashboard-settings.ts'
import { oneOf, optional, refine } from '../../http/api/fields.ts'
import { PageAnswer } from '../../http/dashboard/answers.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import { type CheckoutPageServices, framedCheckout } from './page.ts'

interface PreviewServices extends MerchantSettingsServices, Pick<CheckoutPageServices, 'environment' | 'operator'> {
  readonly clock: Clock
}

const isColour = (value: unknown): boolean =>
  typeof value !== 'string' || value === '' || value === 'none' || parseColour(value) !== null

const query = Type.Object({
  lang: optional(oneOf(['ar', 'en'])),
  name: optional(Type.String({ maxLength: max_merchant_name })),
  name_ar: optional(Type.String({ maxLength: max_merchant_name })),
  colour: optional(refine(Type.String({ description: '#rgb or #rrggbb, or `none` for our own.' }), 'colour', isColour)),
})

/** The real page of a checkout with a made-up order, in names and a colour that need not be saved. */
export const previewBrand = {
  tag: 'Brand',
  summary: 'Show the checkout as it would look',
  description: 'An HTML page for a frame of the dashboard. Its forms and links lead nowhere.',
  query,
  data: Type.Object({}),
  async handle(
    { merchant, query: asked, locale: own }: MerchantRequest<undefined, never, Static<typeof query>>,
    { merchantSettings, environment, operator, clock }: PreviewServices,
  ) {
    const brand = await merchantSettings.readBrand(merchant)
    const locale: Locale = asked.lang ?? own
    const view = sampleView(sampleMerchant(merchant, brand, asked), clock.now())
    return new PageAnswer(framedCheckout({ view, locale, now: clock.now() }, { environment, operator }))
  },
} as const

function sampleMerchant(merchant: Merchant, brand: Brand, asked: Static<typeof query>): CheckoutMerchant {
  const typed = (text: string | undefined) => (text === undefined || text.trim() === '' ? undefined : text.trim())
  const name_ar = asked.name_ar === undefined ? brand.name_ar : (typed(asked.name_ar) ?? null)
  const colour = asked.colour === undefined ? brand.colour : parseColour(asked.colour)
  return {
    ...merchant,
    name: typed(asked.name) ?? brand.name,
    name_ar,
    colour,
    logo_digest: brand.logo?.digest ?? null,
    wide_logo_digest: brand.wide_logo?.digest ?? null,
    payment_provider: 'sandbox',
    payment_flow: 'sale',
    payment_methods: [],
  }
}

const sample_total = asHalalas(24_000)
const sample_points = asPoints(1_250)
const sample_ms = 30 * minute_ms

function sampleView(merchant: CheckoutMerchant, now: Date): CheckoutView {
  const uuid = newUuid()
  return {
    step: 'choose',
    program_id: merchant.program_id,
    session_uuid: uuid,
    order_uuid: uuid,
    merchant,
    locale: merchant.program.locale,
    operator: { name: null, contact: null },
    asked_locale: null,
    order_number: '1042',
    reference_number: 'PREVIEW',
    order_status: 'new',
    total_halalas: sample_total,
    items: null,
    more_items: 0,
    shipping_halalas: null,
    tax_halalas: null,
    discount_halalas: null,
    paid_at: null,
    given_phone: null,
    given_name: null,
    callback_url: null,
    return_to: null,
    expires_at: after(now, sample_ms),
    may_continue: false,
    continued: false,
    payments_over: false,
    held_until: null,
    proven_phone: null,
    proven_by: null,
    remembered: null,
    customer: {
      customer_id: uuid,
      name: null,
      available: sample_points,
      held: NO_POINTS,
      consented: true,
      blocked: false,
    },
    micro_sar_per_point: rateAt(merchant.program.rates, now),
    terms_version: '',
    remembered_limit: NO_POINTS,
    points_used: NO_POINTS,
    redeemed_halalas: NO_MONEY,
    due_halalas: sample_total,
    earned_points: NO_POINTS,
    payment: null,
    going_back: [],
  }
}
