import type { Environment } from '../../config/config.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Locale, LocalText } from '../../domain/locale.ts'
import { nameIn } from '../../domain/merchant.ts'
import { toSar } from '../../domain/money.ts'
import type { Operator } from '../../domain/operator.ts'
import { type PointsPerSarE4, pointsEarned } from '../../domain/points.ts'
import { sandboxIdentities } from '../../domain/sandbox.ts'
import { type DemoProduct, demoProducts } from '../../features/demo/products.ts'
import type { DemoSale, DemoShop } from '../../features/demo/shop.ts'
import type { DemoStore } from '../../features/demo/stores.ts'
import type { ReadTrialKey } from '../../features/merchants/widget.ts'
import { type Page, type PageRequest, type PageRow, redirect } from '../../http/pages/page.ts'
import { brandOf } from '../design/brand.ts'
import { heading, notice, sandboxBanner } from '../design/components.ts'
import { button, choiceCards, form } from '../design/controls.ts'
import { amount, points } from '../design/format.ts'
import { attributes, type Html, html } from '../design/html.ts'
import { icon } from '../design/icons.ts'
import { interpolate } from '../design/interpolate.ts'
import { type Content, layout } from '../design/layout.ts'
import { drawingOf } from './art.ts'
import { texts } from './texts.ts'

export interface DemoServices {
  readonly environment: Environment
  readonly operator: Operator
  readonly public_url: string
  /** Undefined in production, where there is no demo shop. */
  readonly demoShop: DemoShop | undefined
}

/** The key with which the widget shows what the first shop says. */
interface PlaygroundKey {
  readonly readTrialKey: ReadTrialKey
}

/** The demo shop of a sandbox, or the 404 of a deployment without one. */
export async function shopOf({ demoShop }: DemoServices) {
  const found = await demoShop?.read()
  if (demoShop === undefined || found === undefined || found === null) throw new DomainError({ kind: 'path_not_found' })
  return { ...found, shop: demoShop }
}

type Shown = Pick<Content, 'title' | 'body'> & Partial<Pick<Content, 'width' | 'back' | 'widget'>>

/** A page of the demo shop, in the brand of its merchant. */
export function demoPage({ locale, query }: PageRequest, services: DemoServices, store: DemoStore, shown: Shown): Page {
  const { operator, public_url } = services
  // In Arabic, the shop window is called as the shop is.
  const title = [...new Set([shown.title, nameIn(store, locale)])].join(' · ')
  const preview = { url: `${public_url}/demo`, description: texts.lead[locale] }
  const common = {
    operator,
    preview,
    banner: sandboxBanner(locale),
    brand: brandOf(store, locale),
    styles: ['front.css'],
  }
  return layout({ status: 200, locale, query, scripts: ['forms'], ...common, ...shown, title })
}

/** `/demo`: the shop window. */
export const storefrontPage: PageRow<DemoServices> = {
  path: '/demo',
  cookies: true,
  async show(request, services) {
    const { store, points_per_sar_e4 } = await shopOf(services)
    const { locale } = request
    const goods = demoProducts.map((product) => html`<li>${productCard(product, points_per_sar_e4, locale)}</li>`)
    const body = html`${heading(texts.title[locale], texts.lead[locale])}
<ul class="goods">${goods}</ul>
<p class="hint">${texts.shown[locale]}</p>`
    const back = { href: '/', label: texts.start[locale] }
    return demoPage(request, services, store, { title: texts.title[locale], width: 'wide', back, body })
  },
}

function productCard({ id, name, price_halalas }: DemoProduct, rate: PointsPerSarE4, locale: Locale): Html {
  return html`<a class="good" href="/demo/${id}">${drawingOf(id)}<span class="good-words"><strong>${name[locale]}</strong><span>${amount(price_halalas, locale)}</span>
<span class="good-earns">${icon('points')}${points(pointsEarned(price_halalas, rate), locale)}</span></span></a>`
}

const refusals: Readonly<Record<string, LocalText>> = { too_many: texts.too_many, refused: texts.refused }

/** `/demo/:product`: the two ways to buy it. */
export const demoProductPage: PageRow<DemoServices & PlaygroundKey> = {
  path: '/demo/:product',

  async show(request, services) {
    const { store, points_per_sar_e4 } = await shopOf(services)
    const product = productOf(request)
    const { locale, query } = request
    const refusal = refusals[query['note'] ?? '']
    const body = html`<div class="buy"><div class="buy-picture">${drawingOf(product.id)}</div>
<div class="buy-words">${heading(product.name[locale], amount(product.price_halalas, locale))}
${refusal === undefined ? null : notice('error', refusal[locale])}
${saleForm(request, product, points_per_sar_e4)}
${widgetCard(await services.readTrialKey(), product)}</div></div>`
    const back = { href: '/demo', label: texts.back[locale] }
    return demoPage(request, services, store, { title: product.name[locale], width: 'wide', back, body, widget: true })
  },

  async submit(request, services) {
    const { shop } = await shopOf(services)
    const sale = saleOf(request)
    return request.form['do'] === 'check-out' ? checkOut(shop, sale) : sell(shop, sale)
  },
}

/** What the shopper has, as any shop shows it. */
function widgetCard(key: string | null, { price_halalas }: DemoProduct): Html | null {
  if (key === null) return null
  const data = attributes({ 'data-key': key, 'data-amount': toSar(price_halalas), 'data-target': 'none' })
  return html`<nuqta-card></nuqta-card><script src="/widget.js"${data} async></script>`
}

async function checkOut(shop: DemoShop, sale: DemoSale): Promise<Page> {
  const opened = await shop.checkOut(sale)
  if (opened.kind !== 'opened') return redirect(`/demo/${sale.product.id}?note=${opened.kind}`)
  // The path alone: the reader may use another name of this host.
  return redirect(new URL(opened.checkout_url).pathname)
}

async function sell(shop: DemoShop, sale: DemoSale): Promise<Page> {
  const { product, phone } = sale
  const earned = await shop.sell(sale)
  if (earned.kind !== 'earned') return redirect(`/demo/${product.id}?note=${earned.kind}`)
  const { order_uuid } = earned
  const of_order = order_uuid === null ? { waiting: String(earned.points) } : { order_uuid }
  return redirect(`/demo/done?${new URLSearchParams({ ...of_order, phone, product: product.id })}`)
}

function productOf({ params }: PageRequest): DemoProduct {
  const product = demoProducts.find(({ id }) => id === params['product'])
  if (product === undefined) throw new DomainError({ kind: 'path_not_found' })
  return product
}

/** The shop sells only to the numbers of a sandbox, so that it writes to nobody else's wallet. */
function saleOf(request: PageRequest): DemoSale {
  const { form: fields, locale, client_address } = request
  const [first, ...others] = sandboxIdentities
  const { phone } = others.find((identity) => identity.phone === fields['phone']) ?? first
  return { product: productOf(request), phone, locale, client_address }
}

const customerTexts = [texts.rich, texts.poor, texts.fresh]

function saleForm({ locale, csrf }: PageRequest, product: DemoProduct, rate: PointsPerSarE4): Html {
  const earned = points(pointsEarned(product.price_halalas, rate), locale, 'object')
  const customers = sandboxIdentities.map(({ phone }, index) => ({
    value: phone,
    title: html`<bdi class="figure" dir="ltr">0${phone}</bdi>`,
    text: customerTexts[index]?.[locale] ?? '',
  }))
  return form({ action: `/demo/${product.id}`, csrf }, [
    choiceCards({
      name: 'phone',
      legend: texts.customer[locale],
      chosen: sandboxIdentities[0].phone,
      choices: customers,
    }),
    html`<div class="actions">${button(interpolate(texts.sell, locale, { points: earned }), { name: 'do', value: 'sell' })}${button(
      texts.check_out[locale],
      { kind: 'secondary', name: 'do', value: 'check-out' },
    )}</div>`,
    html`<p class="hint">${texts.code[locale]}</p>`,
  ])
}
