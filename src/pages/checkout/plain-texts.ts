import type { LocalText } from '../../domain/locale.ts'

/** What is said to those who go on without points. */
export const plainTexts = {
  go: { en: 'Continue without points', ar: 'المتابعة دون نقاط' },
  hint: {
    en: 'No code needed: you pay {total}, and your points stay as they are.',
    ar: 'لا حاجة إلى رمز: يُدفع {total}، وتبقى نقاطك كما هي.',
  },
  late: {
    en: 'You can use the next code from {time}, but this page ends before that. Continue without points, or open the checkout again from the store later.',
    ar: 'يمكن استخدام رمز جديد من الساعة {time}، لكن هذه الصفحة تنتهي قبل ذلك. تابع دون نقاط، أو افتح عملية الدفع من المتجر لاحقًا.',
  },
  lateFree: {
    en: 'You can use the next code from {time}, but this page ends before that. Go back to the store, and open the checkout again after that time.',
    ar: 'يمكن استخدام رمز جديد من الساعة {time}، لكن هذه الصفحة تنتهي قبل ذلك. ارجع إلى المتجر وافتح عملية الدفع من جديد بعدها.',
  },
  lateElsewhere: {
    en: 'You can use the next code from {time}, but this page ends before that. Go on in the browser in which you confirmed, or go back to the store.',
    ar: 'يمكن استخدام رمز جديد من الساعة {time}، لكن هذه الصفحة تنتهي قبل ذلك. تابع في المتصفح الذي أكّدت فيه، أو ارجع إلى المتجر.',
  },
  title: { en: 'Collect points for this order', ar: 'اكسب نقاطًا على هذا الطلب' },
  lead: {
    en: 'It earns {points} for the number that the store has. New here? Join, and a wallet opens for them. Already a member? Just skip.',
    ar: 'لك عليه {points} على الرقم المسجل لدى المتجر. إن كانت هذه أول مرة فانضم لتُفتح لها محفظة، وإن كانت لديك محفظة فتخطَّ هذه الخطوة.',
  },
  leadPlain: {
    en: 'New here? Join, and a points wallet opens for the number that the store has. Already a member? Just skip.',
    ar: 'إن كانت هذه أول مرة فانضم لتُفتح محفظة نقاط للرقم المسجل لدى المتجر، وإن كانت لديك محفظة فتخطَّ هذه الخطوة.',
  },
  join: { en: 'Agree and continue', ar: 'موافقة ومتابعة' },
  skip: { en: 'Skip and pay', ar: 'التخطي والدفع' },
  skipHint: { en: 'You can pay without joining.', ar: 'يمكن الدفع دون انضمام.' },
} as const satisfies Readonly<Record<string, LocalText>>
