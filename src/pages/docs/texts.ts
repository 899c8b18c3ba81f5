import type { LocalText } from '../../domain/locale.ts'

export const texts = {
  title: { en: 'Documentation', ar: 'الوثائق' },
  lead: {
    en: 'How a shop awards points and lets its customers spend them, and how to run the service.',
    ar: 'كيف يمنح المتجر النقاط ويتيح لعملائه إنفاقها، وكيف تُشغَّل الخدمة.',
  },
  english: { en: '', ar: 'أدلة العمل في لوحة التحكم بالعربية، ونصوص بقية الأدلة بالإنجليزية حتى الآن.' },
  start: { en: 'Start', ar: 'البداية' },
  pages: { en: 'All pages', ar: 'كل الصفحات' },
  contents: { en: 'On this page', ar: 'في هذه الصفحة' },
  search: { en: 'Search the documentation', ar: 'البحث في الوثائق' },
  none: { en: 'Nothing found', ar: 'لا توجد نتائج' },
  found: { en: 'Results', ar: 'النتائج' },
  previous: { en: 'Previous', ar: 'السابق' },
  next: { en: 'Next', ar: 'التالي' },
  copy: { en: 'Copy', ar: 'نسخ' },
  copied: { en: 'Copied', ar: 'تم النسخ' },
  file: { en: 'The API description as a file for tools', ar: 'وصف الواجهة البرمجية ملفًا للأدوات' },
  integrate: { en: 'Integrate a shop', ar: 'ربط المتجر' },
  work: { en: 'Work in the dashboard', ar: 'العمل في لوحة التحكم' },
  api: { en: 'API reference', ar: 'مرجع الواجهة البرمجية' },
  operate: { en: 'Operate the service', ar: 'تشغيل الخدمة' },
} as const satisfies Record<string, LocalText>

export type Group = 'integrate' | 'work' | 'api' | 'operate'

/** In reading order. */
export const groups: readonly Group[] = ['integrate', 'work', 'api', 'operate']

/** Guides by the name of their file: where they stand, and their short titles. Others stand last, under their headings. */
export const guides: Readonly<Record<string, LocalText & { readonly group: Group }>> = {
  checkout: { group: 'integrate', en: 'Checkout', ar: 'صفحة الدفع' },
  webhooks: { group: 'integrate', en: 'Webhooks', ar: 'إشعارات Webhook' },
  typescript: { group: 'integrate', en: 'TypeScript', ar: 'TypeScript' },
  widget: { group: 'integrate', en: 'Widget', ar: 'أداة النقاط' },
  errors: { group: 'integrate', en: 'Errors', ar: 'الأخطاء' },
  'dashboard-merchant': { group: 'work', en: 'For shops', ar: 'للمتاجر' },
  'dashboard-operator': { group: 'work', en: 'For operators', ar: 'للمشغّلين' },
  dashboard: { group: 'work', en: 'Page by page', ar: 'صفحة صفحة' },
  staff: { group: 'work', en: 'People and sign-in', ar: 'الأشخاص وتسجيل الدخول' },
  settlement: { group: 'work', en: 'Settlement', ar: 'التسوية' },
  production: { group: 'operate', en: 'Production', ar: 'التشغيل الفعلي' },
  operating: { group: 'operate', en: 'Operating', ar: 'الإدارة اليومية' },
  settings: { group: 'operate', en: 'Settings', ar: 'الإعدادات' },
  payments: { group: 'operate', en: 'Payments', ar: 'المدفوعات' },
  messages: { group: 'operate', en: 'Messages', ar: 'الرسائل' },
  wallet: { group: 'operate', en: 'Wallet', ar: 'المحفظة' },
  secrets: { group: 'operate', en: 'Secret key', ar: 'المفتاح السري' },
  backup: { group: 'operate', en: 'Backup', ar: 'النسخ الاحتياطي' },
  metrics: { group: 'operate', en: 'Metrics', ar: 'المقاييس' },
  audit: { group: 'operate', en: 'Audit log', ar: 'سجل التغييرات' },
  erasure: { group: 'operate', en: 'Erasure', ar: 'محو البيانات' },
  citus: { group: 'operate', en: 'Citus', ar: 'Citus' },
}

/** The tags of the API description in Arabic. */
export const tagsInArabic: Readonly<Record<string, string>> = {
  Earning: 'كسب النقاط',
  Checkout: 'فتح صفحة الدفع',
  Orders: 'الطلبات',
  Webhooks: 'عناوين Webhook',
  Integration: 'حالة الربط',
}
