import type { Environment } from '../../config/config.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Operator } from '../../domain/operator.ts'
import { history_phone, sandboxIdentities } from '../../domain/sandbox.ts'
import type { DemoStore, ReadDemoStores } from '../../features/demo/stores.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { brandOf } from '../design/brand.ts'
import { card, sandboxBanner, table } from '../design/components.ts'
import { linkButton } from '../design/controls.ts'
import { attributes, type Html, html, type Part } from '../design/html.ts'
import { icon } from '../design/icons.ts'
import { interpolate } from '../design/interpolate.ts'
import { layout } from '../design/layout.ts'
import { operatorLine } from '../design/operator.ts'
import { scene } from './scene.ts'
import { type Door, doors, historyText, identityTexts, storySteps, texts } from './texts.ts'

export interface FrontServices {
  readonly environment: Environment
  readonly operator: Operator
  readonly public_url: string
  readonly readDemoStores: ReadDemoStores
}

/** `/`: what the service is, and the way to everything that its reader may use. */
export const frontPage: PageRow<FrontServices> = {
  path: '/',
  cookies: true,
  async show({ locale, query }: PageRequest, services: FrontServices): Promise<Page> {
    const { environment, operator, public_url } = services
    const sandbox = environment === 'sandbox'
    const stores = sandbox ? await services.readDemoStores() : []
    return layout({
      status: 200,
      locale,
      query,
      operator,
      title: texts.title[locale],
      banner: sandbox ? sandboxBanner(locale) : undefined,
      width: 'full',
      styles: ['front.css'],
      preview: { url: `${public_url}/`, description: texts.lead[locale] },
      indexed: !sandbox,
      body: html`${hero(locale, sandbox)}
${story(locale)}
${sandbox ? sandboxSections(stores, locale) : productionSections(operator, locale)}`,
    })
  },
}

function hero(locale: Locale, sandbox: boolean): Html {
  const [first, second] = sandbox
    ? [linkButton(texts.open_shop[locale], '/demo'), linkButton(texts.open_wallet[locale], '/wallet', quiet)]
    : [linkButton(texts.my_wallet[locale], '/wallet'), linkButton(texts.reference[locale], '/docs', quiet)]
  return html`<section class="front-hero"><div class="front-inner front-split">
<div class="front-words"><h1>${texts.headline[locale]}</h1>
<p class="front-lead">${texts.lead[locale]}</p>
<div class="front-actions">${first}${second}</div></div>
${scene(locale)}
</div></section>`
}

const quiet = { kind: 'secondary' } as const

function section(title: string, body: Html, lead?: Part): Html {
  return html`<section class="front-section"><div class="front-inner">
<div class="front-title"><h2>${title}</h2>${lead === undefined ? null : html`<p>${lead}</p>`}</div>
${body}
</div></section>`
}

function story(locale: Locale): Html {
  const items = storySteps.map(
    ({ icon: name, title, text }) =>
      html`<li><span class="front-mark">${icon(name)}</span><h3>${title[locale]}</h3><p>${text[locale]}</p></li>`,
  )
  return section(texts.how[locale], html`<ol class="front-story">${items}</ol>`)
}

function doorList(list: readonly Door[], locale: Locale): Html {
  const items = list.map(({ href, icon: name, title, text }) => {
    const inner = html`<span class="list-icon">${icon(name)}</span><span class="front-door-words"><strong>${title[locale]}</strong><span>${text[locale]}</span></span>`
    return html`<li><a class="front-door" href="${href}">${inner}</a></li>`
  })
  return html`<ul class="front-doors">${items}</ul>`
}

function sandboxSections(stores: readonly DemoStore[], locale: Locale): Html {
  const look = section(texts.look[locale], doorList(doors.sandbox, locale), texts.look_lead[locale])
  const health = html`<a href="/readyz">${texts.health[locale]}</a>`
  const build = section(
    texts.integrators[locale],
    doorList(doors.sandbox_integrators, locale),
    interpolate(texts.health_lead, locale, { health }),
  )
  const all = stores.length > 1 ? html`<h3>${texts.stores[locale]}</h3>${storeList(stores, locale)}` : null
  const numbers = html`<div class="front-split front-numbers"><div>${card(numberTable(stores, locale))}</div><div>${all}</div></div>`
  const tryThem = section(texts.numbers[locale], numbers, texts.numbers_lead[locale])
  return html`${look}${tryThem}${build}`
}

/** The history belongs to a sandbox that began with all of its shops. */
function numberTable(stores: readonly DemoStore[], locale: Locale): Html {
  const identities = sandboxIdentities.map(({ phone }, index) => [phone, identityTexts[index]?.[locale] ?? ''] as const)
  const all = stores.length > 1 ? [...identities, [history_phone, historyText[locale]] as const] : identities
  return table({
    caption: texts.numbers[locale],
    caption_hidden: true,
    head: [{ title: texts.number[locale] }, { title: texts.who[locale] }],
    rows: all.map(([phone, who]) => [html`<bdi class="figure front-phone" dir="ltr">0${phone}</bdi>`, who]),
  })
}

function storeList(stores: readonly DemoStore[], locale: Locale): Html {
  const items = stores.map((store) => {
    const { name, logo_url } = brandOf(store, locale)
    const logo = logo_url ? html`<img${attributes({ src: logo_url })} alt="" width="56" height="56">` : null
    return html`<li class="front-store">${logo}<bdi>${name}</bdi></li>`
  })
  return html`<ul class="front-stores">${items}</ul>`
}

function productionSections(operator: Operator, locale: Locale): Html {
  const line = operatorLine(operator)
  const who =
    line === null ? null : section(texts.operator[locale], card(html`<p>${line}</p>`), texts.operator_lead[locale])
  return html`${section(texts.customers[locale], doorList(doors.customers, locale))}
${section(texts.integrators[locale], doorList(doors.integrators, locale))}
${who}`
}
