import type { Environment } from '../config/config.ts'
import { DomainError } from '../domain/failures.ts'
import type { Locale, LocalText } from '../domain/locale.ts'
import { parseSar } from '../domain/money.ts'
import type { ReadTrialKey } from '../features/merchants/widget.ts'
import type { Page, PageRequest, PageRow } from '../http/pages/page.ts'
import { card, heading, notice, sandboxBanner } from './design/components.ts'
import { button, choiceCards, field } from './design/controls.ts'
import { amount } from './design/format.ts'
import { attributes, type Html, html } from './design/html.ts'
import { layout } from './design/layout.ts'

export interface PlaygroundServices {
  readonly environment: Environment
  readonly public_url: string
  readonly readTrialKey: ReadTrialKey
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
      scripts: ['playground'],
      query,
      body: html`${heading(texts.title[locale], texts.lead[locale])}
${preview(given, locale)}
${choices(given, locale)}
${sample(given, source, locale)}`,
    })
  },
}

const texts = {
  title: { en: 'Widget playground', ar: 'تجربة أداة النقاط' },
  lead: {
    en: 'What a shopper sees beside a price. Change it until it fits, then copy it into the shop.',
    ar: 'ما يراه المتسوق بجانب السعر. عدّله حتى يناسب متجرك، ثم انسخه إليه.',
  },
  preview: { en: 'Preview', ar: 'المعاينة' },
  product: { en: 'Coffee beans, 1 kg', ar: 'حبوب قهوة، 1 كجم' },
  product_label: { en: 'Product', ar: 'المنتج' },
  noScript: { en: 'The widget needs JavaScript.', ar: 'تحتاج الأداة إلى JavaScript.' },
  settings: { en: 'Settings', ar: 'الإعدادات' },
  key: { en: 'Public key', ar: 'المفتاح العام' },
  keyHint: { en: 'Begins with', ar: 'يبدأ بـ' },
  amount: { en: 'Price in SAR', ar: 'السعر بالريال' },
  language: { en: 'Language', ar: 'اللغة' },
  asPage: { en: 'As the page of the shop', ar: 'كلغة صفحة المتجر' },
  theme: { en: 'Colours', ar: 'الألوان' },
  auto: { en: 'As the page of the shop', ar: 'كألوان صفحة المتجر' },
  light: { en: 'Light', ar: 'فاتحة' },
  dark: { en: 'Dark', ar: 'داكنة' },
  show: { en: 'Show', ar: 'اعرض' },
  sample: { en: 'For the shop', ar: 'للمتجر' },
  sampleText: {
    en: 'Put this where the price stands. When another variant is chosen, change data-amount: the widget follows.',
    ar: 'ضع هذا حيث يظهر السعر. وعند اختيار نوع آخر غيّر data-amount، فتتبعه الأداة.',
  },
  elements: {
    en: 'For many products on one page, have the script once and one of these beside each price:',
    ar: 'إذا كانت في الصفحة منتجات كثيرة، فضع النص البرمجي مرة واحدة، وبجانب كل سعر واحدًا من هذه:',
  },
  copy: { en: 'Copy', ar: 'انسخ' },
  copied: { en: 'Copied', ar: 'تم النسخ' },
} as const satisfies Record<string, LocalText>

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
    lang: language === 'ar' || language === 'en' ? language : null,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
  }
}

/** A light and a dark shop page, with the widget built in as in a real shop. */
function preview({ key, product, amount: given, lang, theme }: Settings, locale: Locale): Html {
  const halalas = /^\d+(\.\d+)?$/.test(given) ? parseSar(Number(given)) : null
  const price = html`<span data-price>${halalas === null ? given : amount(halalas, locale)}</span>`
  const shop = (mode: 'light' | 'dark'): Html => html`<div class="shop shop-${mode}">
<p class="shop-product" data-product>${product ?? texts.product[locale]}</p>
<p>${price}</p>
<p class="shop-earn"></p>
</div>`
  const script = attributes({
    src: '/widget.js',
    'data-target': '.shop-earn',
    'data-key': key,
    'data-amount': given,
    'data-lang': lang,
    'data-theme': theme,
    async: true,
  })
  return card(
    html`<div class="shops">${shop('light')}${shop('dark')}</div>
<noscript>${notice('info', texts.noScript[locale])}</noscript>
<script${script}></script>`,
    { title: texts.preview[locale] },
  )
}

function choices({ key, product, amount: given, lang, theme }: Settings, locale: Locale): Html {
  const asPage = { value: 'page', title: texts.asPage[locale] }
  const body = html`<form method="get" action="${path}" data-playground>
<input type="hidden" name="lang" value="${locale}">
${field({ name: 'product', label: texts.product_label[locale], value: product ?? texts.product[locale], dir: 'auto', maxlength: 60, autocomplete: 'off' })}
${field({ name: 'amount', label: texts.amount[locale], value: given, inputmode: 'decimal', dir: 'ltr', maxlength: 16, autocomplete: 'off' })}
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
${field({ name: 'key', label: texts.key[locale], hint: html`${texts.keyHint[locale]} <bdi dir="ltr">pk_</bdi>`, value: key, dir: 'ltr', maxlength: 64, autocomplete: 'off' })}
${button(texts.show[locale], { kind: 'secondary' })}
</form>`
  return card(body, { title: texts.settings[locale] })
}

function sample(given: Settings, source: string, locale: Locale): Html {
  const { key, amount: price, lang, theme } = given
  const tag = scriptTag({ src: source, 'data-key': key, 'data-amount': price, 'data-lang': lang, 'data-theme': theme })
  const body = html`<p>${texts.sampleText[locale]}</p>
<pre class="sample" dir="ltr" tabindex="0"><code data-sample="${source}">${tag}</code></pre>
<div hidden data-copying="${texts.copied[locale]}">${button(texts.copy[locale], { kind: 'secondary' })}<p role="status"></p></div>
<p>${texts.elements[locale]}</p>
<pre class="sample" dir="ltr" tabindex="0"><code>&lt;nuqta-earn amount="49.95"&gt;&lt;/nuqta-earn&gt;</code></pre>`
  return card(body, { title: texts.sample[locale] })
}

/** The tag as text to copy, one attribute per line. `src/browser/playground.ts` writes the same text. */
function scriptTag(given: Readonly<Record<string, string | null>>): string {
  const lines = Object.entries(given).flatMap(([name, value]) => attributes({ [name]: value }).text.trim() || [])
  return `<script ${[...lines, 'async'].join('\n  ')}></script>`
}
