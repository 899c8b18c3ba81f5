import type { FieldRule } from '../../domain/failures.ts'
import type { LocalText } from '../../domain/locale.ts'
import { logo_side_px, max_logo_bytes, max_logo_ratio } from '../../domain/logo.ts'

const { min, max } = logo_side_px
const kib = max_logo_bytes / 1024

/** The sentences of validation errors that only forms of the dashboard have. */
export const dashboardRuleTexts = {
  list_place: {
    en: 'The :attribute is no place in this list. Begin with its first page.',
    ar: 'قيمة حقل :attribute ليست موضعًا في هذه القائمة. ابدأ من صفحتها الأولى.',
  },
  uuid: {
    en: 'The :attribute must be a whole uuid, such as 01a1fd87-4e32-7000-b160-3e530c009394.',
    ar: 'يجب أن يكون حقل :attribute معرّفًا كاملًا مثل 01a1fd87-4e32-7000-b160-3e530c009394.',
  },
  phone_unknown: {
    en: 'No customer of this program has this number.',
    ar: 'لا يوجد عميل في هذا البرنامج بهذا الرقم.',
  },
  phone_same: {
    en: 'This is the number that is to be given up. Enter the other one.',
    ar: 'هذا هو الرقم المراد الاستغناء عنه. أدخل الرقم الآخر.',
  },
  phone_not_joined: {
    en: 'The customer of this number has not joined yet. They sign in to their wallet first.',
    ar: 'لم ينضم صاحب هذا الرقم بعد. عليه الدخول إلى محفظته أولًا.',
  },
  wallet_owes: {
    en: 'The two wallets owe too many points together: one goes at most :limit points below zero.',
    ar: 'على المحفظتين معًا نقاط أكثر مما يُسمح به: لا ينخفض رصيد محفظة أكثر من :limit نقطة دون الصفر.',
  },
  phone_other: {
    en: 'This is not the number of this customer.',
    ar: 'هذا ليس رقم هذا العميل.',
  },
  points_rate: {
    en: 'The :attribute must be a number from 0 to 100000, with up to four decimals.',
    ar: 'يجب أن يكون حقل :attribute رقمًا من 0 إلى 100000، بأربع منازل عشرية على الأكثر.',
  },
  point_value: {
    en: 'The :attribute must be a number from 0.0001 to 1000, with up to six decimals.',
    ar: 'يجب أن يكون حقل :attribute رقمًا من 0.0001 إلى 1000، بست منازل عشرية على الأكثر.',
  },
  percent: {
    en: 'The :attribute must be a percentage from 0 to 100, with up to two decimals.',
    ar: 'يجب أن يكون حقل :attribute نسبة مئوية من 0 إلى 100، بمنزلتين عشريتين على الأكثر.',
  },
  terms_text: {
    en: 'The :attribute must have a title in its first line and a text below it.',
    ar: 'يجب أن يبدأ حقل :attribute بعنوان في سطره الأول يليه نص.',
  },
  kept_out: {
    en: 'The :attribute is that of somebody who is kept out. Let them in again first.',
    ar: 'حقل :attribute لشخص ممنوع من الدخول. اسمح له بالدخول أولًا.',
  },
  day_past: {
    en: 'The :attribute must be today or later: what held on a day that is over does not change.',
    ar: 'يجب أن يكون حقل :attribute اليوم أو بعده، فما سرى في يوم مضى لا يتغيّر.',
  },
  days_ahead: {
    en: 'The :attribute must be within :limit days from today.',
    ar: 'يجب أن يكون حقل :attribute خلال :limit يوم من اليوم.',
  },
  rates_waiting: {
    en: 'The :attribute cannot be added: :limit rates wait for their day already. Change one of them.',
    ar: 'لا يمكن إضافة :attribute: هناك :limit قيمة بانتظار يومها. غيّر إحداها.',
  },
  host: {
    en: 'The :attribute must be a host, such as shop.example or shop.example:8443, without scheme and path.',
    ar: 'يجب أن يكون حقل :attribute اسم نطاق مثل shop.example أو shop.example:8443، دون بروتوكول أو مسار.',
  },
  colour: {
    en: 'The :attribute must be a colour like #0b6b4f or #0b6.',
    ar: 'يجب أن يكون حقل :attribute لونًا مثل ‎#0b6b4f أو ‎#0b6.',
  },
  printable: {
    en: 'The :attribute must be printable ASCII characters without spaces. Copy it again.',
    ar: 'يجب أن يتكوّن حقل :attribute من أحرف لاتينية ظاهرة دون مسافات. انسخه مجددًا.',
  },
  instant: {
    en: 'The :attribute must be an instant like 2027-01-31T09:00:00Z.',
    ar: 'يجب أن يكون حقل :attribute وقتًا مثل \u200e2027-01-31T09:00:00Z\u200e.',
  },
  range_order: {
    en: 'The :attribute must be later than :limit.',
    ar: 'يجب أن يكون حقل :attribute بعد :limit.',
  },
  sandbox_only: {
    en: 'The :attribute sandbox takes no money: it is for a sandbox only.',
    ar: 'قيمة :attribute «sandbox» لا تستقبل أموالًا: وهي للبيئة التجريبية فقط.',
  },
  sale_only: {
    en: "The :attribute must be sale: Moyasar's hosted page takes money at once and reserves none.",
    ar: 'يجب أن تكون قيمة :attribute فورية: فصفحة ميسر تحصّل المبلغ فورًا ولا تحجزه.',
  },
  no_credentials: {
    en: 'The :attribute cannot be chosen: there are no credentials for :limit. Enter your own.',
    ar: 'لا يمكن اختيار :attribute: لا توجد بيانات اعتماد لدى :limit. أدخل بياناتك.',
  },
  logo_empty: { en: 'The :attribute is an empty file.', ar: 'ملف :attribute فارغ.' },
  logo_too_large: {
    en: `The :attribute has at most ${kib} KiB: save it smaller, or as WebP.`,
    ar: `يجب ألا يتجاوز حجم :attribute ${kib} كيلوبايت: احفظه بحجم أصغر أو بصيغة WebP.`,
  },
  logo_svg: {
    en: 'The :attribute is an SVG, which can hold scripts: save it as PNG, JPEG or WebP.',
    ar: 'ملف :attribute بصيغة SVG وقد يحتوي على برمجيات: احفظه بصيغة PNG أو JPEG أو WebP.',
  },
  logo_unknown: {
    en: 'The :attribute must be a PNG, JPEG or WebP file; this one is none of them, whatever its name says.',
    ar: 'يجب أن يكون :attribute ملف PNG أو JPEG أو WebP، وهذا الملف ليس أيًا منها مهما كان اسمه.',
  },
  logo_broken: {
    en: 'The :attribute is cut off or damaged: save it again.',
    ar: 'ملف :attribute مقطوع أو تالف: احفظه مجددًا.',
  },
  logo_too_small: {
    en: `The :attribute must be at least ${min} pixels wide and high.`,
    ar: `يجب ألا يقل عرض :attribute وارتفاعه عن ${min} بكسل.`,
  },
  logo_too_wide: {
    en: `The :attribute must be at most ${max} pixels wide and high: save it smaller.`,
    ar: `يجب ألا يزيد عرض :attribute وارتفاعه على ${max} بكسل: احفظه بحجم أصغر.`,
  },
  logo_out_of_shape: {
    en: `The :attribute must not be more than ${max_logo_ratio} times as long on one side as on the other.`,
    ar: `يجب ألا يزيد أحد ضلعي :attribute على ${max_logo_ratio} أضعاف الآخر.`,
  },
} satisfies Partial<Record<FieldRule, LocalText>>

/** The Arabic names of fields of the dashboard. */
export const dashboardNames: Readonly<Record<string, string>> = {
  action: 'التغيير',
  activation: 'رقم يكسب لأول مرة',
  adjustments_over: 'حد التعديل',
  after: 'موضع الصفحة',
  again: 'إعادة الحساب',
  age_months: 'عمر النقاط بالأشهر',
  at: 'الوقت',
  begins_on: 'يوم السريان',
  by: 'صاحب التغيير',
  checkout: 'الدفع بالنقاط',
  code: 'الرمز',
  colour: 'اللون',
  content: 'الشعار',
  credentials: 'بيانات الاعتماد',
  current_password: 'كلمة المرور الحالية',
  days: 'عدد الأيام',
  earn: 'رسم المنح',
  earning: 'كسب النقاط',
  email: 'البريد الإلكتروني',
  failure: 'سبب الرفض',
  fees: 'رسوم البرنامج',
  flow: 'طريقة التحصيل',
  flows: 'الخدمات',
  from: 'من تاريخ',
  handled: 'المعالجة',
  key_status: 'حالة المفاتيح',
  keys_off: 'إيقاف المفاتيح',
  keys_on: 'تشغيل المفاتيح',
  kind: 'النوع',
  lang: 'اللغة',
  limit: 'عدد الصفوف',
  locale: 'اللغة',
  logo: 'الشعار',
  merchant: 'المتجر',
  merchant_id: 'رقم المتجر',
  methods: 'طرق الدفع',
  note: 'الملاحظة',
  object: 'المعنيّ بالتغيير',
  operator_contact: 'وسيلة التواصل',
  operator_name: 'من يدير البرنامج',
  password: 'كلمة المرور',
  phone: 'رقم الجوال',
  points: 'النقاط',
  points_per_sar: 'نقاط لكل ريال',
  product_rating: 'تقييم المنتجات',
  product_rating_points: 'نقاط تقييم المنتج',
  profile_id: 'رقم الملف (profile ID)',
  provider: 'مزود الدفع',
  published: 'النشر',
  q: 'البحث',
  rates: 'قيمة النقطة',
  redeem: 'رسم الاستبدال',
  refund_window_days: 'مهلة الاسترداد بالأيام',
  remembered_limit: 'نقاط دون رمز',
  remove_credentials: 'حذف بيانات الاعتماد',
  request_id: 'معرّف الطلب',
  return_hosts: 'نطاقات العودة',
  role: 'الدور',
  route: 'نقطة الاتصال',
  sar_per_point: 'قيمة النقطة',
  secret_key: 'المفتاح السري',
  seen: 'الاطلاع',
  server_key: 'مفتاح الخادم',
  settlements: 'التسويات',
  signed_checkouts: 'اشتراط التوقيع',
  since: 'بداية المدة',
  stage: 'الحالة',
  state: 'الحالة',
  store_rating: 'تقييم المتجر',
  store_rating_points: 'نقاط تقييم المتجر',
  terms: 'الشروط',
  text_ar: 'النص العربي',
  text_en: 'النص الإنجليزي',
  to: 'إلى تاريخ',
  token: 'الرابط',
  two_person: 'شخصان',
  type: 'النوع',
  until: 'نهاية المدة',
  vat: 'ضريبة القيمة المضافة',
  verified: 'التوثيق',
  version: 'رقم النسخة',
  webhook: 'إشعار Webhook',
  webhook_secret: 'سر الإشعارات',
  which: 'المفتاح المطلوب',
}
