import type { LocalText } from '../../domain/locale.ts'
import type { Plurals } from '../design/interpolate.ts'

/** What the steps say by which a person proves a phone and joins. Buttons of Arabic are nouns, which address everybody. */
type Texts = Readonly<Record<string, LocalText>>

export const phoneTexts = {
  title: { ar: 'رقم الجوال', en: 'Your mobile number' },
  lead: {
    ar: 'نرسل إليه رمز تحقق حتى لا يستخدم نقاطك أحد سواك.',
    en: 'We send a code to it, so that nobody but you can use your points.',
  },
  label: { ar: 'رقم الجوال', en: 'Mobile number' },
  hint: { ar: 'رقم سعودي، مثل {example}', en: 'A Saudi number, such as {example}' },
  send: { ar: 'إرسال الرمز', en: 'Send the code' },
  missing: { ar: 'أدخل رقم الجوال.', en: 'Enter your mobile number.' },
  invalid: {
    ar: 'هذا ليس رقم جوال سعودي: يتكون من عشرة أرقام ويبدأ بـ 05.',
    en: 'This is not a Saudi mobile number: ten digits that begin with 05.',
  },
} as const satisfies Texts

export const codeTexts = {
  title: { ar: 'إدخال رمز التحقق', en: 'Enter the code' },
  lead: {
    ar: 'أرسلنا إلى {phone} رمزًا من ستة أرقام يصلح لخمس دقائق.',
    en: 'We sent {phone} a six-digit code, which can be used for five minutes.',
  },
  label: { ar: 'رمز التحقق (6 أرقام)', en: 'Six-digit code' },
  sandbox: {
    ar: 'لا تُرسل رسائل نصية في البيئة التجريبية. رمزك: {code}',
    en: 'No text message is sent in a sandbox. Your code: {code}',
  },
  go: { ar: 'متابعة', en: 'Continue' },
  resend: { ar: 'إرسال رمز جديد', en: 'Send a new code' },
  resend_at: { ar: 'يمكن طلب رمز جديد من الساعة {time}.', en: 'You can ask for a new code from {time}.' },
  resend_in: { ar: 'يمكن طلب رمز جديد بعد {time}.', en: 'You can ask for a new code in {time}.' },
  sent_again: {
    ar: 'أرسلنا رمزًا جديدًا. الرمز السابق لم يعد صالحًا.',
    en: 'We sent a new code. The one before is no longer valid.',
  },
  change: { ar: 'تغيير الرقم', en: 'Change the number' },
  missing: { ar: 'أدخل أرقام الرمز الستة.', en: 'Enter the six digits of the code.' },
  wrong: { ar: 'هذا الرمز غير صحيح. {tries}', en: 'This code is not right. {tries}' },
  over: {
    ar: 'لم يعد هذا الرمز صالحًا. اطلب رمزًا جديدًا.',
    en: 'This code can no longer be used. Ask for a new one.',
  },
  too_many_codes: {
    ar: 'أُرسلت عدة رموز. يمكن طلب رمز آخر من الساعة {time}.',
    en: 'Several codes have been sent already. You can ask for the next one from {time}.',
  },
  too_many_tries: {
    ar: 'أُدخلت رموز خاطئة كثيرة. يمكن المحاولة من جديد من الساعة {time}.',
    en: 'Too many wrong codes were entered. You can try again from {time}.',
  },
  not_sent: {
    ar: 'تعذّر إرسال الرمز. حاول مرة أخرى بعد قليل، أو استخدم رقمًا آخر.',
    en: 'The code could not be sent. Try again in a moment, or use another number.',
  },
} as const satisfies Texts

/** Tries left, by the plural form of their number. */
export const tries_left_texts: Plurals = {
  ar: { one: 'بقيت محاولة واحدة.', two: 'بقيت محاولتان.', other: 'بقيت {count} محاولات.' },
  en: { one: 'You have one try left.', other: 'You have {count} tries left.' },
}

export const onboardingTexts = {
  title: { ar: 'أهلًا بك', en: 'Welcome' },
  lead: {
    ar: 'بقي اسمك وموافقتك على الشروط، وتُفتح محفظة نقاطك.',
    en: 'Your name and your consent to the terms, and your points wallet is open.',
  },
  waiting: {
    ar: 'بانتظارك {points}. تدخل محفظتك فور فتحها.',
    en: '{points} are waiting for you. They come into your wallet as soon as it opens.',
  },
  name: { ar: 'الاسم', en: 'Your name' },
  name_hint: { ar: 'الاسم الذي نخاطبك به', en: 'As you would like to be called' },
  consent: { ar: 'قرأت {terms} وأوافق عليها', en: 'I have read the {terms} and agree to them' },
  terms: { ar: 'الشروط', en: 'terms' },
  new_tab: { ar: 'تُفتح في تبويب جديد', en: 'opens in a new tab' },
  version: { ar: 'الإصدار {version}', en: 'Version {version}' },
  join: { ar: 'موافقة ومتابعة', en: 'Agree and continue' },
  missing_name: { ar: 'اكتب اسمك.', en: 'Enter your name.' },
  long_name: { ar: 'الاسم طويل جدًا.', en: 'The name is too long.' },
  missing_consent: { ar: 'للمتابعة تلزم موافقتك على الشروط.', en: 'To continue, your consent to the terms is needed.' },
  other_terms: {
    ar: 'تغيّرت الشروط في هذه الأثناء. اقرأها من جديد.',
    en: 'The terms have changed in the meantime. Please read them again.',
  },
} as const satisfies Texts
