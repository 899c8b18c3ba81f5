import type { LocalText } from '../../domain/locale.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { card, heading } from '../design/components.ts'
import { html } from '../design/html.ts'
import { walletLink, walletPage } from './frame.ts'
import { placeOf, readProgramOf, type WalletServices } from './session.ts'

const dataTexts = {
  title: { ar: 'بياناتي', en: 'My data' },
  lead: {
    ar: 'ما يحفظه برنامج النقاط عنك، وسبب حفظه.',
    en: 'What the points programme keeps about you, and why.',
  },
  kept: { ar: 'ما يُحفظ', en: 'What is kept' },
  not_kept: { ar: 'ما لا يُحفظ', en: 'What is not kept' },
  who: { ar: 'من يطّلع عليها', en: 'Who sees it' },
  rights: { ar: 'تصحيح بياناتك أو حذفها', en: 'Correcting or erasing it' },
  terms: { ar: 'شروط البرنامج', en: 'Terms of the programme' },
} as const satisfies Record<string, LocalText>

interface StoredData {
  readonly name: LocalText
  readonly text: LocalText
}

const storedData: readonly StoredData[] = [
  {
    name: { ar: 'رقم الجوال والاسم', en: 'Mobile number and name' },
    text: {
      ar: 'بالرقم تُعرف محفظتك، وبالاسم نخاطبك.',
      en: 'The number is how your wallet is known, the name is how we address you.',
    },
  },
  {
    name: { ar: 'موافقتك على الشروط', en: 'Your consent to the terms' },
    text: { ar: 'الإصدار واللغة والتاريخ، لإثبات الموافقة.', en: 'Version, language and date, as proof of it.' },
  },
  {
    name: { ar: 'مشترياتك وتقييماتك', en: 'Your purchases and ratings' },
    text: {
      ar: 'ما ترسله المتاجر عنها: رقم الطلب والمبلغ والمنتجات، وعنوان الشحن إن أرسلته. بها تُحسب نقاطك وتُستردّ.',
      en: 'What the stores report of them: order number, amount, products, and the shipping address if they send it. Your points are reckoned by them.',
    },
  },
  {
    name: { ar: 'حركة نقاطك', en: 'Every movement of your points' },
    text: {
      ar: 'سجل محاسبي لا يُعدَّل، حتى يمكن إثبات كل نقطة.',
      en: 'Books that are never altered, so that every point can be accounted for.',
    },
  },
  {
    name: { ar: 'صفحات الدفع', en: 'Checkouts' },
    text: {
      ar: 'الرقم والاسم اللذان أرسلهما المتجر مع الطلب، والرقم الذي أثبتَّه فيه.',
      en: 'The number and the name that a store sent with an order, and the number that you proved there.',
    },
  },
  {
    name: { ar: 'سجل التشغيل', en: 'The operating log' },
    text: {
      ar: 'وقت كل طلب وعنوان الشبكة الذي جاء منه، لكشف الأعطال وإساءة الاستخدام. لا يحوي رقمك ولا اسمك.',
      en: 'When a page was asked for, and from which network address, to find faults and misuse. It holds neither your number nor your name.',
    },
  },
  {
    name: { ar: 'الدخول إلى المحفظة', en: 'Sign-ins' },
    text: {
      ar: 'تنتهي الجلسة بعد يوم بلا استخدام، أو بعد سبعة أيام على الأكثر.',
      en: 'One ends after a day without use, and after seven days at most.',
    },
  },
]

const notStoredTexts: readonly LocalText[] = [
  {
    ar: 'بيانات البطاقات: تُدخل لدى مزوّد الدفع وحده ولا تصل إلينا.',
    en: 'Card details: they are entered at the payment provider and never reach us.',
  },
  {
    ar: 'كلمات المرور: لا توجد. ورموز التحقق تنتهي بعد خمس دقائق.',
    en: 'Passwords: there are none. Codes are over after five minutes.',
  },
  {
    ar: 'لا إعلانات ولا تتبّع: ملفات تعريف الارتباط هنا للدخول واللغة فقط.',
    en: 'No advertising and no tracking: the cookies of these pages are for signing in and for the language alone.',
  },
]

const accessText: LocalText = {
  ar: 'كل متجر يرى الطلبات التي أرسلها هو، ولا يرى مشترياتك من غيره. ويطّلع مشغّل البرنامج على السجل كاملًا.',
  en: 'A store sees the orders that it reported, and not what you bought elsewhere. Whoever runs the programme can see all of it.',
}

const rightsTexts: readonly LocalText[] = [
  {
    ar: 'لطلب نسخة من بياناتك أو تصحيحها أو حذفها، تواصل مع أي متجر كسبت منه نقاطًا، وهو يحيل طلبك إلى مشغّل البرنامج. سيُطلب منك تأكيد رقم جوالك أولًا.',
    en: 'To have a copy of your data, or to have it corrected or erased, ask any store where you earned points: it passes your request on to whoever runs the programme. You will be asked to confirm your number first.',
  },
  {
    ar: 'الحذف يشمل اسمك ورقمك، وتُفقد معه النقاط غير المستخدمة. أما القيود المحاسبية فتبقى بلا اسم ولا رقم، لأن النظام يوجب حفظها.',
    en: 'Erasing removes your name and your number, and points that you have not used are lost with them. Entries in the books remain without either, because the law has them kept.',
  },
]

/** `/wallet/data`: what the service stores about customers, and how to get it corrected or erased. The same for everyone. */
export const walletDataPage: PageRow<WalletServices> = {
  path: '/wallet/data',
  cookies: true,
  async show(request: PageRequest, services: WalletServices): Promise<Page> {
    const { locale } = request
    const program = await readProgramOf(request, services)
    const body = html`${heading(dataTexts.title[locale], dataTexts.lead[locale])}
${card(
  html`<dl class="prose">${storedData.map(({ name, text }) => html`<dt>${name[locale]}</dt><dd>${text[locale]}</dd>`)}</dl>`,
  { title: dataTexts.kept[locale] },
)}
${card(html`<ul class="prose">${notStoredTexts.map((text) => html`<li>${text[locale]}</li>`)}</ul>`, { title: dataTexts.not_kept[locale] })}
${card(html`<p>${accessText[locale]}</p>`, { title: dataTexts.who[locale] })}
${card(html`${rightsTexts.map((text) => html`<p>${text[locale]}</p>`)}<p><a href="${walletLink(request, '/terms')}">${dataTexts.terms[locale]}</a></p>`, { title: dataTexts.rights[locale] })}`
    return walletPage(request, {
      place: placeOf(services, program),
      title: dataTexts.title[locale],
      current: 'data',
      body,
    })
  },
}
