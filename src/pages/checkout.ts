import type { OrderState } from '../domain/order.ts'
import type { ReadCheckout } from '../features/checkout/read.ts'
import type { CheckoutView } from '../features/checkout/view.ts'
import type { Bilingual } from '../http/locale.ts'
import type { Page, PageRequest, PageRow } from '../http/pages.ts'
import { card, heading, outcome, summary } from './components.ts'
import { amount, moment } from './figures.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'

export interface CheckoutPageServices {
  readonly readCheckout: ReadCheckout
}

/** The page behind a checkout's link: what the order is. Decisions §6. */
export const checkoutPage: PageRow<CheckoutPageServices> = {
  path: '/checkout/:token',
  async show(request: PageRequest, { readCheckout }: CheckoutPageServices): Promise<Page> {
    const checkout = await readCheckout(request.params['token'] ?? '', request.browser)
    if (checkout === null) return notice(404, 'unknown', request)
    const { step, order_status, merchant } = checkout
    if (step === 'expired') return notice(410, 'expired', request, merchant.name)
    const over = step === 'closed' && order_status === 'new'
    return over ? notice(410, 'ended', request, merchant.name) : order(checkout, request)
  },
}

const texts = {
  order: { en: 'Your order', ar: 'طلبك' },
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

function order(session: CheckoutView, { locale, query }: PageRequest): Page {
  const rows = [
    { label: texts.number[locale], value: html`<bdi>${session.order_number}</bdi>` },
    { label: texts.reference[locale], value: html`<code>${session.reference_number}</code>` },
    { label: texts.state[locale], value: states[session.order_status][locale] },
    session.order_status === 'new' ? { label: texts.expiry[locale], value: moment(session.expires_at, locale) } : null,
    { label: texts.amount[locale], value: amount(session.total_halalas, locale), strong: true },
  ]
  return layout({
    status: 200,
    locale,
    query,
    brand: { name: session.merchant.name },
    title: `${texts.order[locale]} · ${session.merchant.name}`,
    body: html`${heading(texts.order[locale], texts.back[locale])}${card(summary(rows))}`,
  })
}

function notice(status: number, kind: keyof typeof notices, { locale, query }: PageRequest, merchant?: string): Page {
  const { title, text } = notices[kind]
  const body = outcome('failed', title[locale], text[locale])
  const brand = merchant === undefined ? undefined : { name: merchant }
  return layout({ status, locale, query, title: title[locale], brand, body })
}
