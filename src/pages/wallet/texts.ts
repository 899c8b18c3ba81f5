import type { LocalText } from '../../domain/locale.ts'

/** What the wallet says. */
export const texts = {
  wallet: { ar: 'محفظة النقاط', en: 'Points wallet' },
  home: { ar: 'المحفظة', en: 'Wallet' },
  statement: { ar: 'كشف النقاط', en: 'Statement' },
  data: { ar: 'بياناتي', en: 'My data' },
  error: { ar: 'خطأ', en: 'Error' },
  navigation: { ar: 'صفحات المحفظة', en: 'Wallet pages' },
  hello: { ar: 'أهلًا {name}', en: 'Hello {name}' },
  joined: { ar: 'محفظتك مفتوحة الآن.', en: 'Your wallet is open.' },
  joined_with: {
    ar: 'محفظتك مفتوحة الآن، وفيها {points} كانت بانتظارك.',
    en: 'Your wallet is open, and the {points} that waited for you are in it.',
  },
  signed_in_as: { ar: 'رقم الجوال', en: 'Mobile number' },
  sign_out: { ar: 'تسجيل الخروج', en: 'Sign out' },
  spendable: { ar: 'النقاط المتاحة', en: 'Points to spend' },
  worth: { ar: 'قيمتها {amount}', en: 'Worth {amount}' },
  below_zero: {
    ar: 'رصيدك أقل من الصفر لأن مبلغ عملية شراء استُرد بعد استخدام نقاطها. النقاط التي تكسبها لاحقًا تعوّضه أولًا.',
    en: 'Your balance is below zero: a purchase was refunded after its points had been used. The next points you earn make up for it first.',
  },
  held: { ar: '{points} محجوزة', en: '{points} reserved' },
  held_why: {
    ar: 'اخترت استخدامها في طلب لم يكتمل بعد. تُستخدم عند اكتماله، وتعود إليك إن لم يكتمل.',
    en: 'You chose them for an order that is not complete yet. They are used when it is, and come back to you if it never is.',
  },
  order: { ar: 'الطلب {number}', en: 'Order {number}' },
  history: { ar: 'حركة النقاط', en: 'History' },
  newest: { ar: 'أحدث الحركات', en: 'Newest' },
  older: { ar: 'حركات أقدم', en: 'Older' },
  balance_after: { ar: 'الرصيد {balance}', en: 'Balance {balance}' },
  empty: { ar: 'لا توجد حركات بعد', en: 'Nothing here yet' },
  empty_how: {
    ar: 'اذكر رقم جوالك عند الشراء من متاجر البرنامج، وتصلك نقاطك هنا في الحال.',
    en: 'Give your mobile number when you buy at a store of the programme, and your points arrive here at once.',
  },
  empty_use: {
    ar: 'وفي شرائك التالي استخدمها لتدفع أقل.',
    en: 'Next time you buy, use them and pay less.',
  },
} as const satisfies Record<string, LocalText>

/** What the sign-in says besides the steps that it shares with the checkout. */
export const signInTexts = {
  title: { ar: 'الدخول إلى محفظة النقاط', en: 'Sign in to your points wallet' },
  lead: {
    ar: 'أدخل رقم جوالك لنرسل إليه رمز الدخول. لا تحتاج إلى كلمة مرور.',
    en: 'Enter your mobile number and we will send a code to it. There is no password.',
  },
  ended: {
    ar: 'انتهت جلستك السابقة حفاظًا على أمان نقاطك. أدخل رقم جوالك للدخول من جديد.',
    en: 'You were signed out to keep your points safe. Enter your number to sign in again.',
  },
  left: { ar: 'تم تسجيل خروجك.', en: 'You are signed out.' },
} as const satisfies Record<string, LocalText>

export const unknownTexts = {
  title: { ar: 'لا توجد محفظة بهذا الرابط', en: 'No wallet has this link' },
  text: {
    ar: 'ربما نُسخ الرابط ناقصًا. افتحه من جديد من المتجر أو من الرسالة التي وصلتك.',
    en: 'It may have been cut off. Open it again from the store, or from the message that you received.',
  },
} as const satisfies Record<string, LocalText>
