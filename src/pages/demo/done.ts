import { parseUuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import { toSar } from '../../domain/money.ts'
import { asPoints, type Points } from '../../domain/points.ts'
import { sandboxIdentities } from '../../domain/sandbox.ts'
import { type DemoProduct, demoProducts } from '../../features/demo/products.ts'
import type { DemoShop } from '../../features/demo/shop.ts'
import type { PageRequest, PageRow } from '../../http/pages/page.ts'
import { actions, card, details, outcome, type SummaryRow, summary } from '../design/components.ts'
import { linkButton } from '../design/controls.ts'
import { amount, points, pointsNumber } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import { type DemoServices, demoPage, shopOf } from './page.ts'
import { doneTexts as texts } from './texts.ts'

type Order = NonNullable<Awaited<ReturnType<DemoShop['readOrder']>>>

interface Result {
  readonly title: string
  readonly body: Html
}

/** `/demo/done`: what came of a sale. A checkout leads back here with the order in the query. */
export const demoDonePage: PageRow<DemoServices> = {
  path: '/demo/done',
  cookies: true,
  async show(request, services) {
    const { store, shop } = await shopOf(services)
    const order_uuid = parseUuid(request.query['order_uuid'] ?? '')
    const order = order_uuid === null ? null : await shop.readOrder(order_uuid)
    return demoPage(request, services, store, resultOf(request, order))
  },
}

function resultOf(request: PageRequest, order: Order | null): Result {
  const { locale, query } = request
  if (order !== null) return order.type === 1 ? soldPage(request, order) : checkedOutPage(order, locale)
  const waiting = /^\d{1,9}$/.test(query['waiting'] ?? '') ? asPoints(Number(query['waiting'])) : null
  if (waiting !== null) return waitingPage(request, waiting)
  return { title: texts.none[locale], body: html`${outcome('ended', texts.none[locale])}${ways(locale)}` }
}

function soldPage(request: PageRequest, order: Order): Result {
  const { locale } = request
  const title = interpolate(texts.earned, locale, { points: points(order.total_points, locale, 'object') })
  const lead = interpolate(texts.earned_lead, locale, { phone: phoneOf(request) })
  const more = sentRequest(request, order.order_number)
  const body = html`${outcome('success', title, lead)}${orderCard(order, locale)}${more}${ways(locale, '/demo/cups')}`
  return { title: plain(title), body }
}

function waitingPage(request: PageRequest, waiting: Points): Result {
  const { locale } = request
  const title = interpolate(texts.waiting, locale, { points: points(waiting, locale) })
  const lead = interpolate(texts.waiting_lead, locale, { phone: phoneOf(request) })
  return { title: plain(title), body: html`${outcome('waiting', title, lead)}${ways(locale)}` }
}

function checkedOutPage(order: Order, locale: Locale): Result {
  const isPaid = order.order_status === 'approved' || order.order_status === 'captured'
  const title = (isPaid ? texts.paid : texts.unpaid)[locale]
  const lead = (isPaid ? texts.paid_lead : texts.unpaid_lead)[locale]
  const body = html`${outcome(isPaid ? 'success' : 'ended', title, lead)}${orderCard(order, locale)}${ways(locale)}`
  return { title, body }
}

function orderCard(order: Order, locale: Locale): Html {
  const count = order.type === 1 ? texts.collected : texts.used
  const rows: SummaryRow[] = [
    { label: texts.order[locale], value: html`<bdi>${order.order_number}</bdi>` },
    { label: texts.reference[locale], value: html`<bdi dir="ltr">${order.reference_number}</bdi>` },
    { label: count[locale], value: pointsNumber(order.total_points) },
    { label: texts.total[locale], value: amount(order.total_halalas, locale), strong: true },
  ]
  return card(summary(rows))
}

function ways(locale: Locale, spend?: string): Html {
  const first = spend === undefined ? null : linkButton(texts.spend[locale], spend)
  const kind = spend === undefined ? 'primary' : 'secondary'
  return actions(
    first,
    linkButton(texts.wallet[locale], '/wallet', { kind }),
    linkButton(texts.again[locale], '/demo', { kind: 'quiet' }),
  )
}

function identityOf({ query }: PageRequest): string {
  return (sandboxIdentities.find(({ phone }) => phone === query['phone']) ?? sandboxIdentities[0]).phone
}

function phoneOf(request: PageRequest): Html {
  return html`<bdi class="figure" dir="ltr">0${identityOf(request)}</bdi>`
}

/** The request by which a shop's server awards the same. */
function sentRequest(request: PageRequest, order_number: string): Html | null {
  const { locale, query } = request
  const product: DemoProduct | undefined = demoProducts.find(({ id }) => id === query['product'])
  if (product === undefined) return null
  const total_price = toSar(product.price_halalas)
  const products = [{ product_name: product.name[locale], product_price: total_price, quantity: 1 }]
  const body = { phone_number: `0${identityOf(request)}`, total_price, products, order_number }
  const text = `POST /api/v1/orders/earning\nx-api-key: sk_test_…\n\n${JSON.stringify(body, null, 2)}`
  return details(texts.request[locale], html`<pre class="sample" dir="ltr" tabindex="0"><code>${text}</code></pre>`)
}

/** The text of a heading, for the title of the window. */
function plain({ text }: Html): string {
  return text.replace(/<[^>]*>/g, '')
}
