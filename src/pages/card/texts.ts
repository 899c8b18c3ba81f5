import type { LocalText } from '../../domain/locale.ts'

/** Texts of the card in a shop and of its window. */
export const cardTexts = {
  title: { en: 'Your points', ar: 'نقاطك' },
  lead: { en: 'What you have, and what it saves here.', ar: 'رصيدك، وما توفره به هنا.' },
  see: { en: 'See your points', ar: 'عرض نقاطك' },
  new_window: { en: 'opens a window', ar: 'تُفتح نافذة' },
  window_only: {
    en: 'Your browser shows them in a window.',
    ar: 'يعرضها متصفحك في نافذة.',
  },
  worth: { en: 'worth {amount}', ar: 'قيمتها {amount}' },
  saving: { en: 'Up to {amount} off this basket', ar: 'خصم يصل إلى {amount} على هذه السلة' },
  hide: { en: 'Hide', ar: 'إخفاء' },
  hide_why: { en: 'Hide my points in this shop', ar: 'إخفاء نقاطي في هذا المتجر' },
} as const satisfies Record<string, LocalText>

export const windowTexts = {
  title: { en: 'See your points', ar: 'عرض نقاطك' },
  lead: {
    en: 'We send a code to your number. The shop sees neither the number nor your points.',
    ar: 'نرسل رمزًا إلى رقمك. لا يرى المتجر رقمك ولا نقاطك.',
  },
  error: { en: 'Error', ar: 'خطأ' },
  balance: { en: 'Points you can use', ar: 'نقاط يمكن استخدامها' },
  saving: {
    en: 'Up to {amount} off your basket. You choose at checkout.',
    ar: 'خصم يصل إلى {amount} على سلتك، وتختار عند الدفع.',
  },
  hidden: { en: 'Your points are no longer shown here.', ar: 'لم تعد نقاطك معروضة هنا.' },
  hide: { en: 'Stop showing my points here', ar: 'إيقاف عرض نقاطي هنا' },
  close: { en: 'Close', ar: 'إغلاق' },
  wallet: { en: 'Open my wallet', ar: 'فتح محفظتي' },
  nobody: { en: 'No points wallet yet', ar: 'لا محفظة نقاط بعد' },
  nobody_text: {
    en: 'This number has no points wallet. You can open one now, or with your next purchase.',
    ar: 'لا توجد محفظة نقاط لهذا الرقم. يمكنك فتحها الآن، أو مع عملية الشراء القادمة.',
  },
  other: { en: 'Use another number', ar: 'استخدام رقم آخر' },
} as const satisfies Record<string, LocalText>
