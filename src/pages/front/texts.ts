import type { LocalText } from '../../domain/locale.ts'
import type { IconName } from '../design/icons.ts'

export const texts = {
  title: { en: 'Nuqta: loyalty points, kept like money', ar: 'نُقطة: نقاط ولاء تُحفظ كما يُحفظ المال' },
  headline: { en: 'Loyalty points, kept like money.', ar: 'نقاط ولاء تُحفظ كما يُحفظ المال.' },
  lead: {
    en: 'Customers collect points with every purchase, and pay with them at the next one. Every point is booked twice, and every refund is exact to the last point.',
    ar: 'يجمع العملاء النقاط مع كل عملية شراء، ويدفعون بها في المرة التالية. كل نقطة تُقيَّد مرتين، وكل استرداد دقيق حتى آخر نقطة.',
  },
  open_shop: { en: 'Open the demo shop', ar: 'فتح المتجر التجريبي' },
  open_wallet: { en: 'Open the wallet', ar: 'فتح المحفظة' },
  my_wallet: { en: 'Open my wallet', ar: 'فتح محفظتي' },
  reference: { en: 'API reference', ar: 'مرجع الواجهة البرمجية' },
  how: { en: 'How it works', ar: 'كيف تعمل' },
  look: { en: 'Look around', ar: 'تجوّل في الخدمة' },
  look_lead: {
    en: 'This is a sandbox: nothing is charged, and no message is sent.',
    ar: 'هذه بيئة تجريبية: لا يُخصم أي مبلغ، ولا تُرسل أي رسالة.',
  },
  stores: { en: 'The shops of this sandbox', ar: 'متاجر هذه البيئة التجريبية' },
  numbers: { en: 'Numbers to try', ar: 'أرقام للتجربة' },
  numbers_lead: {
    en: 'Enter one of them in the wallet or at a checkout. The code is shown on the page.',
    ar: 'أدخل أحدها في المحفظة أو عند الدفع. يظهر الرمز في الصفحة نفسها.',
  },
  number: { en: 'Mobile number', ar: 'رقم الجوال' },
  who: { en: 'Whose it is', ar: 'صاحبه' },
  customers: { en: 'For customers', ar: 'للعملاء' },
  integrators: { en: 'For integrators', ar: 'للمطورين' },
  health_lead: {
    en: '{health} says whether the service can serve right now.',
    ar: 'تقول {health} هل الخدمة جاهزة للعمل الآن.',
  },
  health: { en: 'The health check', ar: 'صفحة حالة الخدمة' },
  operator: { en: 'Who runs this service', ar: 'من يدير هذه الخدمة' },
  operator_lead: {
    en: 'Ask here about your points, or about joining with your shop.',
    ar: 'للاستفسار عن نقاطك، أو عن انضمام متجرك.',
  },
} as const satisfies Record<string, LocalText>

/** The three things that happen to points. */
export const storySteps: readonly { readonly icon: IconName; readonly title: LocalText; readonly text: LocalText }[] = [
  {
    icon: 'gift',
    title: { en: 'Collect', ar: 'اجمع' },
    text: {
      en: 'A purchase or a review awards points. The shop sends one request; the customer needs only a mobile number.',
      ar: 'تمنح كل عملية شراء أو تقييم نقاطًا. يرسل المتجر طلبًا واحدًا، ولا يحتاج العميل إلا إلى رقم جواله.',
    },
  },
  {
    icon: 'bag',
    title: { en: 'Pay', ar: 'ادفع' },
    text: {
      en: 'At the checkout the customer proves the number with a code, chooses how many points to use, and pays the rest.',
      ar: 'عند الدفع يثبت العميل رقمه برمز، ويختار عدد النقاط التي يستخدمها، ثم يدفع الباقي.',
    },
  },
  {
    icon: 'refund',
    title: { en: 'Refund', ar: 'استردّ' },
    text: {
      en: 'Points follow the money. A refund takes back what was earned and returns what was used.',
      ar: 'النقاط تتبع المبلغ: يسحب الاسترداد ما كُسب من نقاط، ويعيد ما استُبدل منها.',
    },
  },
]

export interface Door {
  readonly href: string
  readonly icon: IconName
  readonly title: LocalText
  readonly text: LocalText
}

const wallet: Door = {
  href: '/wallet',
  icon: 'points',
  title: { en: 'Wallet', ar: 'المحفظة' },
  text: {
    en: 'Points to spend, the reason for every movement, and a statement to print.',
    ar: 'النقاط المتاحة، وسبب كل حركة، وكشف قابل للطباعة.',
  },
}
const terms: Door = {
  href: '/terms',
  icon: 'info',
  title: { en: 'Terms', ar: 'الشروط' },
  text: {
    en: 'What customers can expect of their points, and what is kept about them.',
    ar: 'ما يتوقعه العملاء من نقاطهم، وما يُحفظ من بياناتهم.',
  },
}
const reference: Door = {
  href: '/docs',
  icon: 'document',
  title: { en: 'Guides and API reference', ar: 'الأدلة ومرجع الواجهة البرمجية' },
  text: {
    en: 'Every endpoint, field and error, with examples.',
    ar: 'كل نقطة اتصال وحقل وخطأ، مع أمثلة.',
  },
}
const description: Door = {
  href: '/api/openapi.json',
  icon: 'arrow',
  title: { en: 'API description', ar: 'وصف الواجهة البرمجية' },
  text: { en: 'OpenAPI 3.1, for tools and code generators.', ar: 'OpenAPI 3.1، للأدوات ومولدات الشيفرة.' },
}
const shop: Door = {
  href: '/demo',
  icon: 'bag',
  title: { en: 'Demo shop', ar: 'المتجر التجريبي' },
  text: {
    en: 'Buy something, collect points, and pay with them. It takes a minute.',
    ar: 'اشترِ منتجًا واجمع النقاط ثم ادفع بها. دقيقة واحدة تكفي.',
  },
}
const dashboard: Door = {
  href: '/dashboard/',
  icon: 'person',
  title: { en: 'Dashboard', ar: 'لوحة التحكم' },
  text: {
    en: 'Where a merchant follows orders and customers, and sets what a purchase earns.',
    ar: 'حيث يتابع التاجر الطلبات والعملاء، ويضبط كسب النقاط.',
  },
}
const widget: Door = {
  href: '/widget/playground',
  icon: 'gift',
  title: { en: 'Widget playground', ar: 'تجربة أداة النقاط' },
  text: {
    en: 'The line beside a price that tells shoppers what they will earn.',
    ar: 'السطر المجاور للسعر الذي يخبر المتسوق بما سيكسبه.',
  },
}
export const doors = {
  sandbox: [shop, wallet, dashboard],
  sandbox_integrators: [widget, reference, description],
  customers: [wallet, terms],
  integrators: [dashboard, reference, description],
} as const

/** What the numbers of `sandboxIdentities` show, in their order. */
export const identityTexts: readonly LocalText[] = [
  { en: 'A customer who began with 10,000 points', ar: 'عميل بدأ برصيد 10,000 نقطة' },
  { en: 'A customer who began without points', ar: 'عميل بدأ من دون نقاط' },
  { en: 'Somebody new, who is asked for a name and consent', ar: 'شخص جديد، يُطلب منه الاسم والموافقة' },
]

export const historyText: LocalText = {
  en: 'A customer with a month of purchases, a review, a payment with points and a refund',
  ar: 'عميل لديه مشتريات شهر كامل، وتقييم، ودفع بالنقاط، واسترداد',
}

/** The picture of a wallet beside the headline. */
export const sceneTexts = {
  balance: { en: 'Your points', ar: 'نقاطك' },
  worth: { en: 'worth {amount}', ar: 'تعادل {amount}' },
  bought: { en: 'Coffee beans, 1 kg', ar: 'حبوب قهوة، 1 كجم' },
  review: { en: 'Review of a product', ar: 'تقييم منتج' },
  paid: { en: 'Paid with points', ar: 'دفع بالنقاط' },
} as const satisfies Record<string, LocalText>
