import { type Halalas, toSar } from '../domain/money.ts'
import type { OrderState } from '../domain/order.ts'
import type { CheckoutSession, ReadCheckout } from '../features/checkout/story.ts'
import type { Bilingual, Locale } from '../http/locale.ts'
import type { Page, PageRequest, PageRow } from '../http/pages.ts'
import { type Html, html } from './html.ts'
import { layout } from './layout.ts'
import { cardStyle } from './style.ts'

export interface CheckoutPageServices {
  readonly readCheckout: ReadCheckout
}

/** The page behind a checkout's link: what the order is. Decisions §6. */
export const checkoutPage: PageRow<CheckoutPageServices> = {
  path: '/checkout/:token',
  async show({ params, locale }: PageRequest, { readCheckout }: CheckoutPageServices): Promise<Page> {
    const session = await readCheckout(params['token'] ?? '')
    if (session === null) return notice(404, 'unknown', locale)
    const over = session.stage === 'over' && session.order_status === 'new'
    if (session.stage === 'expired') return notice(410, 'expired', locale, session.merchant_name)
    return over ? notice(410, 'ended', locale, session.merchant_name) : order(session, locale)
  },
}

const texts = {
  order: { en: 'Your order', ar: 'طلبك' },
  at: { en: 'From', ar: 'من' },
  number: { en: 'Order number', ar: 'رقم الطلب' },
  reference: { en: 'Reference', ar: 'الرقم المرجعي' },
  amount: { en: 'Amount', ar: 'المبلغ' },
  state: { en: 'State', ar: 'الحالة' },
  expiry: { en: 'Valid until', ar: 'صالح حتى' },
  back: { en: 'Return to the store to go on.', ar: 'عُد إلى المتجر للمتابعة.' },
} as const satisfies Record<string, Bilingual>

const notices = {
  unknown: {
    title: { en: 'This link leads nowhere', ar: 'هذا الرابط غير صحيح' },
    text: {
      en: 'No checkout has this link. It may have been cut off: open it again from the store.',
      ar: 'لا توجد عملية دفع بهذا الرابط. ربما نُسخ ناقصًا: افتحه من جديد من المتجر.',
    },
  },
  expired: {
    title: { en: 'This checkout has expired', ar: 'انتهت صلاحية عملية الدفع هذه' },
    text: {
      en: 'No points were used and nothing was charged. Start the checkout again from the store.',
      ar: 'لم تُستخدم أي نقاط ولم يُخصم أي مبلغ. ابدأ عملية الدفع من جديد من المتجر.',
    },
  },
  ended: {
    title: { en: 'This checkout is closed', ar: 'أُغلقت عملية الدفع هذه' },
    text: {
      en: 'The store has gone on with the order without it. Ask the store about your order.',
      ar: 'تابع المتجر الطلب بطريقة أخرى. استفسر من المتجر عن طلبك.',
    },
  },
} as const satisfies Record<string, { readonly title: Bilingual; readonly text: Bilingual }>

const states: Readonly<Record<OrderState, Bilingual>> = {
  new: { en: 'Not paid yet', ar: 'لم يُدفع بعد' },
  approved: { en: 'Paid', ar: 'مدفوع' },
  authorized: { en: 'Amount reserved', ar: 'المبلغ محجوز' },
  captured: { en: 'Paid', ar: 'مدفوع' },
  cancelled: { en: 'Cancelled', ar: 'ملغي' },
  fully_refunded: { en: 'Refunded', ar: 'مسترد' },
  partially_refunded: { en: 'Partly refunded', ar: 'مسترد جزئيًا' },
}

const amounts = {
  en: new Intl.NumberFormat('en', { style: 'currency', currency: 'SAR' }),
  ar: new Intl.NumberFormat('ar-u-nu-latn', { style: 'currency', currency: 'SAR' }),
}

const when = { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Riyadh' } as const
const instants = {
  en: new Intl.DateTimeFormat('en-GB', when),
  ar: new Intl.DateTimeFormat('ar-u-ca-gregory-nu-latn', when),
}

function sar(amount: Halalas, locale: Locale): string {
  return amounts[locale].format(toSar(amount))
}

function order(session: CheckoutSession, locale: Locale): Page {
  const row = (name: Bilingual, value: Html): Html => html`<div><dt>${name[locale]}</dt><dd>${value}</dd></div>`
  const expiry =
    session.stage === 'open' ? row(texts.expiry, html`${instants[locale].format(session.expires_at)}`) : null
  const body = html`<main>
<h1>${texts.order[locale]}</h1>
<p>${texts.at[locale]} <bdi>${session.merchant_name}</bdi></p>
<dl>
${row(texts.number, html`<bdi>${session.order_number}</bdi>`)}
${row(texts.reference, html`<code>${session.reference_number}</code>`)}
${row(texts.amount, html`<span class="amount"><bdi>${sar(session.total_halalas, locale)}</bdi></span>`)}
${row(texts.state, html`${states[session.order_status][locale]}`)}
${expiry}
</dl>
<p>${texts.back[locale]}</p>
${otherLanguage(locale)}
</main>`
  return layout({
    status: 200,
    locale,
    title: `${texts.order[locale]} · ${session.merchant_name}`,
    style: cardStyle,
    body,
  })
}

function notice(status: number, kind: keyof typeof notices, locale: Locale, merchant?: string): Page {
  const { title, text } = notices[kind]
  const body = html`<main>
<h1>${title[locale]}</h1>
${merchant === undefined ? null : html`<p><bdi>${merchant}</bdi></p>`}
<p>${text[locale]}</p>
${otherLanguage(locale)}
</main>`
  return layout({ status, locale, title: title[locale], style: cardStyle, body })
}

function otherLanguage(locale: Locale): Html {
  return locale === 'ar'
    ? html`<footer><a href="?lang=en" lang="en" dir="ltr" hreflang="en">English</a></footer>`
    : html`<footer><a href="?lang=ar" lang="ar" dir="rtl" hreflang="ar">العربية</a></footer>`
}
