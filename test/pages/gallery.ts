import type { Colour } from '../../src/domain/colour.ts'
import type { Locale } from '../../src/domain/locale.ts'
import { asHalalas } from '../../src/domain/money.ts'
import { asPoints } from '../../src/domain/points.ts'
import type { PageRequest, PageRow } from '../../src/http/pages/page.ts'
import { redirect } from '../../src/http/pages/page.ts'
import {
  actions,
  card,
  details,
  emptyState,
  errorSummary,
  figure,
  heading,
  list,
  notice,
  outcome,
  sandboxBanner,
  steps,
  summary,
  table,
} from '../../src/pages/design/components.ts'
import { button, checkbox, choiceCards, field, form, linkButton } from '../../src/pages/design/controls.ts'
import { amount, moment, points, pointsFigure } from '../../src/pages/design/format.ts'
import { type Html, html } from '../../src/pages/design/html.ts'
import { layout } from '../../src/pages/design/layout.ts'

// Every component once, to be looked at and to be held against WCAG. The texts are like those of the service.

const say = (locale: Locale) => (en: string, ar: string) => (locale === 'ar' ? ar : en)

/** `/gallery`: a form with everything that may stand in it; `/gallery?wrong=1` with mistakes. */
export const galleryPage: PageRow<unknown> = {
  path: '/gallery',
  async show(request) {
    const { locale, query } = request
    const t = say(locale)
    return layout({
      status: 200,
      locale,
      query,
      title: t('Use your points', 'استخدم نقاطك'),
      brand: { name: t('Bayt Al Qahwa', 'بيت القهوة'), colour: (query['colour'] ?? null) as Colour | null },
      banner: sandboxBanner(locale),
      scripts: ['forms'],
      back: { href: '/gallery/list', label: t('Back to your wallet', 'عودة إلى محفظتك') },
      body: formBody(request),
    })
  },
  async submit({ form: fields }) {
    return redirect(`/gallery?sent=${encodeURIComponent(fields['name'] ?? '')}`)
  },
}

function formBody({ locale, query, csrf }: PageRequest): Html {
  const t = say(locale)
  const wrong = query['wrong'] !== undefined
  const error = (en: string, ar: string) => (wrong ? t(en, ar) : undefined)
  const names = [t('Phone', 'الجوال'), t('Points', 'النقاط'), t('Payment', 'الدفع'), t('Receipt', 'الإيصال')]
  const fields = html`${field({ name: 'name', label: t('Your name', 'اسمك'), autocomplete: 'name', dir: 'auto', required: true, value: query['sent'] })}
${field({ name: 'phone', label: t('Mobile number', 'رقم الجوال'), hint: t('We send a code to it.', 'نرسل إليه رمزًا.'), type: 'tel', inputmode: 'tel', autocomplete: 'tel', dir: 'ltr', before: '+966', error: error('Enter a Saudi mobile number, such as 051 234 5678.', 'أدخل رقم جوال سعودي، مثل 051 234 5678.') })}
${field({ name: 'code', label: t('Code', 'الرمز'), inputmode: 'numeric', autocomplete: 'one-time-code', dir: 'ltr', look: 'code', maxlength: 6, value: '204618' })}
${field({ name: 'some', label: t('How many points', 'كم نقطة'), inputmode: 'numeric', dir: 'ltr', look: 'large', value: '12500', after: amount(asHalalas(6_250), locale) })}
${choices(locale)}
${checkbox({ name: 'terms', label: html`${t('I agree to the', 'أوافق على')} <a href="/gallery/list">${t('terms of the programme', 'شروط البرنامج')}</a>`, required: true, error: error('Agree to the terms to go on.', 'وافق على الشروط للمتابعة.') })}`
  const buttons = actions(
    button(t('Continue', 'متابعة'), { icon: 'arrow' }),
    button(t('Send a new code', 'أرسل رمزًا جديدًا'), { kind: 'secondary', name: 'again', value: '1' }),
    linkButton(t('Change the number', 'غيّر الرقم'), '/gallery/list', { kind: 'quiet' }),
    button(t('Cancel the checkout', 'ألغِ عملية الدفع'), { kind: 'danger', disabled: true }),
  )
  const mistakes = [
    { field: 'phone', text: t('Enter a Saudi mobile number.', 'أدخل رقم جوال سعودي.') },
    { field: 'terms', text: t('Agree to the terms to go on.', 'وافق على الشروط للمتابعة.') },
  ]
  return html`${steps(1, names, locale)}
${heading(t('Use your points', 'استخدم نقاطك'), t('Choose how much of this order they pay for.', 'اختر كم تدفع بها من هذا الطلب.'))}
${wrong ? errorSummary(mistakes, locale) : null}
${card(figure(t('You have', 'رصيدك'), points(asPoints(48_250), locale), html`= ${amount(asHalalas(24_125), locale)}`))}
${form({ action: '/gallery', csrf }, card(html`${fields}${buttons}`, { title: t('Your part', 'حصتك') }))}
${notice('info', t('The code is 204618: no text message is sent in a sandbox.', 'الرمز هو 204618: لا تُرسل رسائل في البيئة التجريبية.'))}`
}

function choices(locale: Locale): Html {
  const t = say(locale)
  return choiceCards({
    name: 'use',
    legend: t('Pay with points', 'ادفع بالنقاط'),
    chosen: 'part',
    choices: [
      {
        value: 'all',
        title: t('All of it', 'كامل المبلغ'),
        text: points(asPoints(50_100), locale),
        aside: amount(asHalalas(25_050), locale),
      },
      {
        value: 'part',
        title: t('Part of it', 'جزء منه'),
        text: t('You choose how much', 'تختار المقدار'),
        more: field({ name: 'part', label: t('Points', 'النقاط'), inputmode: 'numeric', dir: 'ltr', value: '500' }),
      },
      {
        value: 'none',
        title: t('None', 'بدون نقاط'),
        text: t('Keep them for later', 'احتفظ بها لوقت آخر'),
        icon: 'card',
        disabled: true,
      },
    ],
  })
}

/** `/gallery/list`: what is read rather than filled in. */
export const galleryListPage: PageRow<unknown> = {
  path: '/gallery/list',
  async show({ locale, query }) {
    const t = say(locale)
    return layout({
      status: 200,
      locale,
      query,
      width: query['wide'] === undefined ? 'column' : 'wide',
      title: t('Receipt', 'الإيصال'),
      body: readBody(locale),
    })
  },
}

function readBody(locale: Locale): Html {
  const t = say(locale)
  const at = new Date('2026-11-22T09:30:00Z')
  const receipt = summary([
    { label: t('Order', 'الطلب'), value: html`<bdi>1001</bdi>` },
    { label: t('Reference', 'الرقم المرجعي'), value: html`<code>NQ-4K7P-92WX</code>` },
    { label: t('Time', 'الوقت'), value: moment(at, locale) },
    {
      label: t('Paid with points', 'دُفع بالنقاط'),
      value: html`${points(asPoints(12_500), locale)} (${amount(asHalalas(6_250), locale)})`,
    },
    { label: t('Paid by card', 'دُفع بالبطاقة'), value: amount(asHalalas(18_800), locale) },
    { label: t('Total', 'المجموع'), value: amount(asHalalas(25_050), locale), strong: true },
  ])
  const movements = list([
    {
      title: t('Earned', 'كسبت'),
      text: html`${t('Order', 'طلب')} <bdi>1001</bdi>`,
      aside: pointsFigure(asPoints(2_500), { signed: true }),
      note: moment(at, locale, 'date'),
      icon: 'gift',
      href: '/gallery',
    },
    {
      title: t('Used at a checkout', 'استخدمت في عملية دفع'),
      text: html`${t('Order', 'طلب')} <bdi>998-B</bdi>`,
      aside: pointsFigure(asPoints(-12_500), { signed: true }),
      note: moment(at, locale, 'date'),
      icon: 'bag',
    },
    {
      title: t('Taken back by a refund', 'سُحبت بسبب استرداد'),
      aside: pointsFigure(asPoints(-40), { signed: true }),
      note: moment(at, locale, 'date'),
      icon: 'refund',
    },
  ])
  return html`${outcome('success', t('Paid with your points', 'تم الدفع بنقاطك'), t('The store has been told. You can close this page.', 'أُبلغ المتجر بذلك. يمكنك إغلاق هذه الصفحة.'))}
${card(receipt)}
${actions(linkButton(t('Back to the store', 'عودة إلى المتجر'), '/gallery'), linkButton(t('Print', 'اطبع'), '/gallery', { kind: 'secondary', icon: 'print' }))}
${card(movements, { title: t('Movements', 'الحركات') })}
${card(statement(locale, at))}
${card(emptyState(t('No points yet', 'لا نقاط بعد'), t('They come with your first order.', 'تأتي مع أول طلب لك.'), linkButton(t('Find a store', 'ابحث عن متجر'), '/gallery', { kind: 'secondary' })))}
${notice('success', t('Your number is confirmed.', 'تم تأكيد رقمك.'))}
${notice('warning', t('This checkout ends in 3 minutes.', 'تنتهي عملية الدفع خلال 3 دقائق.'), { title: t('Soon over', 'تنتهي قريبًا') })}
${notice('error', t('The code is not right. You have 3 tries left.', 'الرمز غير صحيح. بقيت لك 3 محاولات.'))}
${details(t('Why do I see this?', 'لماذا أرى هذا؟'), t('Because the order is still being paid.', 'لأن الطلب لا يزال قيد الدفع.'))}`
}

function statement(locale: Locale, at: Date): Html {
  const t = say(locale)
  return table({
    caption: t('Statement of November', 'كشف نوفمبر'),
    head: [
      { title: t('Date', 'التاريخ') },
      { title: t('What', 'الحركة') },
      { title: t('Points', 'النقاط'), numeric: true },
      { title: t('Balance', 'الرصيد'), numeric: true },
    ],
    rows: [
      [
        moment(at, locale, 'date'),
        t('Earned', 'كسب'),
        pointsFigure(asPoints(2_500), { signed: true }),
        pointsFigure(asPoints(50_750)),
      ],
      [
        moment(at, locale, 'date'),
        t('Used', 'استخدام'),
        pointsFigure(asPoints(-2_500), { signed: true }),
        pointsFigure(asPoints(48_250)),
      ],
    ],
    foot: [t('Total', 'المجموع'), null, pointsFigure(asPoints(0)), pointsFigure(asPoints(48_250))],
  })
}

/** `/gallery/waiting`: while something is under way. */
export const galleryWaitingPage: PageRow<unknown> = {
  path: '/gallery/waiting',
  async show({ locale, query }) {
    const t = say(locale)
    const body = outcome(
      'waiting',
      t('Your bank is being asked', 'نسأل مصرفك'),
      t('This takes a few seconds.', 'يستغرق هذا ثواني قليلة.'),
    )
    return layout({ status: 200, locale, query, title: t('Waiting', 'انتظار'), body })
  },
}
