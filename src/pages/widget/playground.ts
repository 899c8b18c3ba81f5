import type { Environment } from '../../config/config.ts'
import { DomainError } from '../../domain/failures.ts'
import { isLocale, type Locale, type LocalText } from '../../domain/locale.ts'
import { type Halalas, parseSar } from '../../domain/money.ts'
import type { Operator } from '../../domain/operator.ts'
import { sandboxIdentities } from '../../domain/sandbox.ts'
import type { ReadTrialKey } from '../../features/merchants/widget.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { card, heading, notice, sandboxBanner } from '../design/components.ts'
import { button, choiceCards, field } from '../design/controls.ts'
import { amount } from '../design/format.ts'
import { attributes, type Html, html } from '../design/html.ts'
import { layout } from '../design/layout.ts'
import { catalogue } from '../texts/catalogue.ts'

export interface PlaygroundServices {
  readonly environment: Environment
  readonly public_url: string
  readonly readTrialKey: ReadTrialKey
  readonly operator: Operator
}

const path = '/widget/playground'

/** Where a merchant tries the widget before building it into the shop. Sandbox only. */
export const playgroundPage: PageRow<PlaygroundServices> = {
  path,
  async show({ query, locale }: PageRequest, services: PlaygroundServices): Promise<Page> {
    if (services.environment !== 'sandbox') throw new DomainError({ kind: 'path_not_found' })
    const given = settingsOf(query, (await services.readTrialKey()) ?? '')
    const source = `${services.public_url}/widget.js`
    return layout({
      status: 200,
      locale,
      title: texts.title[locale],
      banner: sandboxBanner(locale),
      operator: services.operator,
      scripts: ['playground'],
      widget: true,
      back: { href: '/', label: catalogue.demo.shop.start[locale] },
      query,
      body: html`${heading(texts.title[locale], texts.lead[locale])}
${preview(given, locale)}
${choices(given, locale)}
${samples(given, source, locale)}`,
    })
  },
}

const texts = catalogue.playground.playground

interface Settings {
  readonly key: string
  /** Null: an example. */
  readonly product: string | null
  readonly amount: string
  /** Null: the shop page's language. */
  readonly lang: Locale | null
  readonly theme: 'light' | 'dark' | null
}

function settingsOf(query: PageRequest['query'], trial_key: string): Settings {
  const { key, product, amount: given, language, theme } = query
  return {
    key: (key ?? trial_key).trim().slice(0, 64),
    product: product?.trim().slice(0, 60) || null,
    amount: (given ?? '199.50').trim().slice(0, 16),
    lang: isLocale(language) ? language : null,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
  }
}

/** A light and a dark shop page and a basket, with the widget built in as in a real shop. */
function preview(given: Settings, locale: Locale): Html {
  const { key, product, amount: typed, lang, theme } = given
  const halalas = halalasOf(typed)
  const price = html`<span data-price>${halalas === null ? typed : amount(halalas, locale)}</span>`
  const shop = (mode: 'light' | 'dark'): Html => html`<div class="shop shop-${mode}">
<p class="shop-product" data-product>${product ?? texts.product[locale]}</p>
<p>${price}</p>
<p class="shop-earn"></p>
</div>`
  const script = attributes({
    src: '/widget.js',
    'data-target': '.shop-earn',
    'data-key': key,
    'data-amount': typed,
    'data-order': JSON.stringify({ ...order, total_price: Number(plainAmount(typed)) }),
    'data-lang': lang,
    'data-theme': theme,
    async: true,
  })
  return card(
    html`<div class="shops">${shop('light')}${shop('dark')}</div>
<div class="shop"><nuqta-card></nuqta-card><nuqta-pay></nuqta-pay></div>
<noscript>${notice('info', texts.noScript[locale])}</noscript>
<script${script}></script>`,
    { title: texts.preview[locale] },
  )
}

/** What the button opens: a checkout of the sandbox's customer with points. `src/browser/playground.ts` writes the price. */
const order = { order_number: 'PLAY-1', phone_number: `0${sandboxIdentities[0].phone}` }

function halalasOf(typed: string): Halalas | null {
  return /^\d+(\.\d+)?$/.test(typed) ? parseSar(Number(typed)) : null
}

/** The amount for a sample; 0 for what is none. */
function plainAmount(typed: string): string {
  return halalasOf(typed) === null ? '0' : typed
}

function choices({ key, product, amount: given, lang, theme }: Settings, locale: Locale): Html {
  const asPage = { value: 'page', title: texts.asPage[locale] }
  const body = html`<form method="get" action="${path}" data-playground>
<input type="hidden" name="lang" value="${locale}">
${field({ name: 'product', label: texts.product_label[locale], value: product ?? texts.product[locale], dir: 'auto', maxlength: 60, enterkeyhint: 'next', autocomplete: 'off' })}
${field({ name: 'amount', label: texts.amount[locale], value: given, inputmode: 'decimal', dir: 'ltr', maxlength: 16, enterkeyhint: 'next', autocomplete: 'off' })}
${choiceCards({
  name: 'language',
  legend: texts.language[locale],
  chosen: lang ?? 'page',
  choices: [
    asPage,
    { value: 'ar', title: html`<span lang="ar">العربية</span>` },
    { value: 'en', title: html`<span lang="en">English</span>` },
  ],
})}
${choiceCards({
  name: 'theme',
  legend: texts.theme[locale],
  chosen: theme ?? 'auto',
  choices: (['auto', 'light', 'dark'] as const).map((value) => ({ value, title: texts[value][locale] })),
})}
${field({ name: 'key', label: texts.key[locale], hint: html`${texts.keyHint[locale]} <bdi dir="ltr">pk_</bdi>`, value: key, dir: 'ltr', maxlength: 64, enterkeyhint: 'go', autocomplete: 'off' })}
${button(texts.show[locale], { kind: 'secondary' })}
</form>`
  return card(body, { title: texts.settings[locale] })
}

/** What to copy for each part. Scripts write `data-fill` again while settings change. */
function samples(given: Settings, source: string, locale: Locale): Html {
  const { key, amount: price, lang, theme } = given
  const tag = scriptTag({ src: source, 'data-key': key, 'data-amount': price, 'data-lang': lang, 'data-theme': theme })
  const total = html`<span data-fill="amount">${plainAmount(price)}</span>`
  const own_key = html`<span data-fill="key">${JSON.stringify(key)}</span>`
  const elements = html`<p>${texts.elements[locale]}</p>
<pre class="sample" dir="ltr" tabindex="0"><code>&lt;nuqta-earn amount="49.95"&gt;&lt;/nuqta-earn&gt;</code></pre>`
  const many = [
    sample(locale, texts.line, texts.lineText, html`<code data-sample="${source}">${tag}</code>`, elements),
    sample(
      locale,
      texts.card,
      texts.cardText,
      html`<code>&lt;nuqta-card amount="${total}"&gt;&lt;/nuqta-card&gt;</code>`,
    ),
    sample(
      locale,
      texts.pay,
      texts.payText,
      html`<code>&lt;nuqta-pay order='{"order_number":"1001","total_price":${total}}'&gt;&lt;/nuqta-pay&gt;</code>`,
    ),
    sample(
      locale,
      texts.app,
      texts.appText,
      html`<code>const points = Nuqta.init({
  key: ${own_key},
  amount: "${total}",
  earn: "#price",
  card: "#basket",
  pay: "#pay",
  order: async () =&gt; (await fetch("/nuqta-order", { method: "POST" })).text(),
})
points.update({ amount: "249.00" })
points.destroy()</code>`,
    ),
  ]
  return html`${many}`
}

/** A sample with its button, which a script shows. */
function sample(locale: Locale, title: LocalText, text: LocalText, code: Html, more: Html | null = null): Html {
  const body = html`<p>${text[locale]}</p>
<pre class="sample" dir="ltr" tabindex="0">${code}</pre>
<div hidden data-copying="${texts.copied[locale]}">${button(texts.copy[locale], { kind: 'secondary' })}<p role="status"></p></div>${more}`
  return card(body, { title: title[locale] })
}

/** The tag as text to copy, one attribute per line. `src/browser/playground.ts` writes the same text. */
function scriptTag(given: Readonly<Record<string, string | null>>): string {
  const lines = Object.entries(given).flatMap(([name, value]) => attributes({ [name]: value }).text.trim() || [])
  return `<script ${[...lines, 'async'].join('\n  ')}></script>`
}
