import type { FieldError, FieldRule } from '../../domain/failures.ts'
import type { Locale, LocalText } from '../../domain/locale.ts'
import { MAX_WALLET_POINTS } from '../../domain/points.ts'
import { dashboardNames, dashboardRuleTexts } from './dashboard-texts.ts'

/** The sentences of validation errors, in the wording that integrators know. docs/spec/api.md#validation */
export const ruleTexts: Readonly<Record<FieldRule, LocalText>> = {
  required: { en: 'The :attribute field is required.', ar: 'حقل :attribute مطلوب.' },
  string: { en: 'The :attribute must be a string.', ar: 'يجب أن يكون حقل :attribute نصًا.' },
  numeric: {
    en: 'The :attribute must be a number.',
    ar: 'يجب أن يكون حقل :attribute رقمًا.',
  },
  integer: { en: 'The :attribute must be an integer.', ar: 'يجب أن يكون حقل :attribute عددًا صحيحًا.' },
  boolean: {
    en: 'The :attribute field must be true or false.',
    ar: 'يجب أن تكون قيمة حقل :attribute إما true أو false.',
  },
  array: { en: 'The :attribute must be an array.', ar: 'يجب أن يكون حقل :attribute مصفوفة.' },
  object: { en: 'The :attribute must be an object.', ar: 'يجب أن يكون حقل :attribute كائنًا (object).' },
  min_numeric: { en: 'The :attribute must be at least :limit.', ar: 'يجب ألا تقل قيمة حقل :attribute عن :limit.' },
  max_numeric: {
    en: 'The :attribute must not be greater than :limit.',
    ar: 'يجب ألا تزيد قيمة حقل :attribute على :limit.',
  },
  min_array: {
    en: 'The :attribute must have at least :limit items.',
    ar: 'يجب ألا يقل عدد العناصر في حقل :attribute عن :limit.',
  },
  max_array: {
    en: 'The :attribute must not have more than :limit items.',
    ar: 'يجب ألا يزيد عدد العناصر في حقل :attribute على :limit.',
  },
  min_string: {
    en: 'The :attribute must have at least :limit characters.',
    ar: 'يجب ألا يقل عدد أحرف حقل :attribute عن :limit.',
  },
  email: {
    en: 'The :attribute must be an e-mail address, such as name@shop.example.',
    ar: 'يجب أن يكون حقل :attribute بريدًا إلكترونيًا مثل name@shop.example.',
  },
  password_common: {
    en: 'The :attribute is one that many people use. Choose another: a few words that do not belong together are good.',
    ar: 'قيمة حقل :attribute شائعة جدًا. اختر غيرها: بضع كلمات لا رابط بينها خيار جيد.',
  },
  password_personal: {
    en: 'The :attribute is easy to guess from your name or address. Choose one without them.',
    ar: 'يسهل تخمين قيمة حقل :attribute من اسمك أو بريدك. اختر غيرها بدونهما.',
  },
  max_string: {
    en: 'The :attribute must not be greater than :limit characters.',
    ar: 'يجب ألا يزيد عدد أحرف حقل :attribute على :limit.',
  },
  max_bytes: {
    en: 'The :attribute must not be greater than :limit bytes of JSON.',
    ar: 'يجب ألا يزيد حجم حقل :attribute على :limit بايت بصيغة JSON.',
  },
  max_depth: {
    en: 'The :attribute must not be nested deeper than :limit levels.',
    ar: 'يجب ألا يزيد تداخل حقل :attribute على :limit مستوى.',
  },
  max_values: {
    en: 'The :attribute must not hold more than :limit values.',
    ar: 'يجب ألا يزيد عدد القيم في حقل :attribute على :limit.',
  },
  characters: {
    en: 'The :attribute must not contain the NUL character (U+0000).',
    ar: 'يجب ألا يحتوي حقل :attribute على الحرف الفارغ (U+0000).',
  },
  in: {
    en: 'The selected :attribute is invalid. Use one of: :limit.',
    ar: 'قيمة حقل :attribute غير صالحة. استخدم إحدى القيم: :limit.',
  },
  phone: {
    en: 'The :attribute format is invalid. Use a Saudi mobile number, such as +966512345678.',
    ar: 'صيغة حقل :attribute غير صحيحة. استخدم رقم جوال سعوديًا مثل ‎+966512345678.',
  },
  url: {
    en: 'The :attribute must be a valid URL that begins with :limit.',
    ar: 'يجب أن يكون حقل :attribute رابطًا صحيحًا يبدأ بـ :limit.',
  },
  url_credentials: {
    en: 'The :attribute must not contain a user name or password. Deliveries carry the secret in X-Webhook-Secret.',
    ar: 'يجب ألا يحتوي حقل :attribute على اسم مستخدم أو كلمة مرور. تحمل الإشعارات السر في الترويسة X-Webhook-Secret.',
  },
  url_user: {
    en: 'The :attribute must not contain a user name or password.',
    ar: 'يجب ألا يحتوي حقل :attribute على اسم مستخدم أو كلمة مرور.',
  },
  return_host: {
    en: 'The :attribute leads to a host that the merchant has not named as its own.',
    ar: 'يؤدي حقل :attribute إلى نطاق ليس من النطاقات التي حددها المتجر.',
  },
  day: {
    en: 'The :attribute must be a day, such as 2026-01-31.',
    ar: 'يجب أن يكون حقل :attribute يومًا مثل ‎2026-01-31.',
  },
  day_over: {
    en: 'The :attribute must be a day that is over in Riyadh.',
    ar: 'يجب أن يكون حقل :attribute يومًا قد انتهى بتوقيت الرياض.',
  },
  days_in_order: {
    en: 'The :attribute must not be after the last day.',
    ar: 'يجب ألا يكون حقل :attribute بعد اليوم الأخير.',
  },
  max_days: {
    en: 'The :attribute must be so late that the period has at most :limit days.',
    ar: 'يجب أن يكون حقل :attribute متأخرًا بحيث لا تزيد المدة على :limit يوم.',
  },
  past_day: {
    en: 'The :attribute must not be a day that has not begun.',
    ar: 'يجب ألا يكون حقل :attribute يومًا لم يبدأ بعد.',
  },
  most_waiting: {
    en: 'The :attribute has to wait: :limit reports are being made. Ask for it again when one of them is ready.',
    ar: 'على حقل :attribute الانتظار: يجري إعداد :limit تقريرًا. اطلبه مرة أخرى حين يكتمل أحدها.',
  },
  line_break: {
    en: 'The :attribute must not contain a line break, because it is signed.',
    ar: 'يجب ألا يحتوي حقل :attribute على فاصل أسطر، لأنه موقّع.',
  },
  one_line: {
    en: 'The :attribute must be one line of text.',
    ar: 'يجب أن يكون حقل :attribute نصًا من سطر واحد.',
  },
  version_name: {
    en: 'The :attribute must be up to 20 letters, digits, dots and dashes, and begin with a letter or a digit.',
    ar: 'يجب أن يتكوّن حقل :attribute من 20 حرفًا لاتينيًا أو رقمًا أو نقطة أو شرطة على الأكثر، وأن يبدأ بحرف أو رقم.',
  },
  signature: {
    en: 'The :attribute does not match the request. Sign exactly what is sent, with the current checkout secret.',
    ar: 'لا يطابق حقل :attribute محتوى الطلب. وقّع ما يُرسَل كما هو، بسر الدفع الحالي.',
  },
  signature_expired: {
    en: 'The :attribute has expired. Sign the request again.',
    ar: 'انتهت صلاحية حقل :attribute. وقّع الطلب من جديد.',
  },
  hours_ahead: {
    en: 'The :attribute must be at most :limit hours ahead, in Unix seconds.',
    ar: 'يجب ألا يتجاوز حقل :attribute :limit ساعة من الآن، بثواني يونكس.',
  },
  address_reserved: {
    en: 'The :attribute must lead to a public address. Private, link-local and other reserved addresses are refused.',
    ar: 'يجب أن يؤدي حقل :attribute إلى عنوان عام. العناوين الخاصة والمحلية والمحجوزة مرفوضة.',
  },
  address_loopback: {
    en: 'The :attribute must not lead to loopback. In a sandbox, the setting NUQTA_WEBHOOK_ALLOW_LOOPBACK=true allows it.',
    ar: 'يجب ألا يؤدي حقل :attribute إلى الجهاز نفسه (loopback). يسمح بذلك في البيئة التجريبية الإعداد ‎NUQTA_WEBHOOK_ALLOW_LOOPBACK=true.',
  },
  limit_reached: {
    en: 'The :attribute cannot be added: the limit of :limit is reached. Delete one that is not needed.',
    ar: 'لا يمكن إضافة :attribute: تم بلوغ الحد الأقصى وهو :limit. احذف ما لا تحتاج إليه.',
  },
  required_without: {
    en: 'The :attribute field is required when :limit is not present.',
    ar: 'حقل :attribute مطلوب عند عدم إرسال :limit.',
  },
  taken: {
    en: 'The :attribute has already been taken.',
    ar: 'قيمة حقل :attribute مستخدمة من قبل.',
  },
  wallet_full: {
    en: "The :attribute cannot be accepted: the customer's wallet would hold more than :limit points.",
    ar: 'لا يمكن قبول :attribute: سيتجاوز رصيد محفظة العميل :limit نقطة.',
  },
  pending_full: {
    en: 'The :attribute cannot be accepted: :limit earnings already wait for this customer to activate the account.',
    ar: 'لا يمكن قبول :attribute: توجد :limit عملية كسب في انتظار أن يفعّل هذا العميل حسابه.',
  },
  idempotency_mismatch: {
    en: 'The :attribute has already been used with another body. Send a new key for a new request.',
    ar: 'سبق استخدام :attribute مع محتوى آخر. أرسل مفتاحًا جديدًا لكل طلب جديد.',
  },
  sent_once: {
    en: 'The :attribute must be sent once.',
    ar: 'يجب إرسال :attribute مرة واحدة فقط.',
  },
  ...dashboardRuleTexts,
}

/** `:limit` of errors that carry none. */
const defaultLimits: Partial<Record<FieldRule, string>> = {
  url: 'http:// or https://',
  wallet_full: MAX_WALLET_POINTS.toLocaleString('en'),
  wallet_owes: MAX_WALLET_POINTS.toLocaleString('en'),
}

const arabicNames: Readonly<Record<string, string>> = {
  active: 'التفعيل',
  amount: 'المبلغ',
  body: 'محتوى الطلب',
  callback_url: 'رابط العودة',
  city: 'المدينة',
  comment: 'التعليق',
  discount_amount: 'مبلغ الخصم',
  idempotency_key: 'مفتاح منع التكرار',
  integration_active: 'تفعيل الربط',
  line1: 'سطر العنوان',
  metadata: 'البيانات الإضافية',
  name: 'الاسم',
  name_ar: 'الاسم بالعربية',
  name_en: 'الاسم بالإنجليزية',
  order_number: 'رقم الطلب',
  page: 'الصفحة',
  payment_method: 'طريقة الدفع',
  per_page: 'عدد العناصر في الصفحة',
  phone_number: 'رقم الجوال',
  product_id: 'معرّف المنتج',
  product_name: 'اسم المنتج',
  product_price: 'سعر المنتج',
  products: 'المنتجات',
  quantity: 'الكمية',
  rating: 'التقييم',
  reason: 'السبب',
  review_reference: 'مرجع التقييم',
  shipping_address: 'عنوان الشحن',
  shipping_amount: 'مبلغ الشحن',
  signature: 'التوقيع',
  signature_expires_at: 'وقت انتهاء التوقيع',
  status: 'الحالة',
  tax_amount: 'مبلغ الضريبة',
  total_price: 'المبلغ الإجمالي',
  url: 'الرابط',
  ...dashboardNames,
}

/** Names a field by the last segment of its path, and a list's item by the list and its index: `products 0`. */
export function nameField(field: string, locale: Locale): string {
  const segments = field.split('.')
  const last = segments.at(-1) ?? field
  if (/^\d+$/.test(last) && segments.length > 1) return `${nameField(segments.at(-2) ?? '', locale)} ${last}`
  const plain = last.replaceAll('_', ' ')
  return locale === 'ar' ? (arabicNames[last] ?? plain) : plain
}

/** The sentence for one failing field. */
export function fieldText(error: FieldError, locale: Locale): string {
  const text = ruleTexts[error.rule][locale]
    .replace(':attribute', () => nameField(error.field, locale))
    .replace(':limit', () => limitText(error, locale))
  return error.limit === 1 ? text.replace('1 items', '1 item') : text
}

function limitText({ rule, limit }: FieldError, locale: Locale): string {
  const text = String(limit ?? defaultLimits[rule] ?? '')
  if (rule === 'required_without') return nameField(text, locale)
  return locale === 'ar' ? text.replaceAll(' or ', ' أو ') : text
}

/** `errors` of the envelope: dotted field → its sentences. docs/spec/api.md#validation */
export function fieldMessages(errors: readonly FieldError[], locale: Locale): Record<string, string[]> {
  const messages = new Map<string, string[]>()
  for (const error of errors) {
    const text = fieldText(error, locale)
    const before = messages.get(error.field)
    if (before === undefined) messages.set(error.field, [text])
    else if (!before.includes(text)) before.push(text)
  }
  return Object.fromEntries(messages)
}
