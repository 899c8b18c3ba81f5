import type { LocalText } from '../../domain/locale.ts'

/** What the statement says. */
export const statementTexts = {
  title: { ar: 'كشف النقاط', en: 'Statement of points' },
  caption: { ar: 'حركات الفترة', en: 'Movements of the period' },
  from: { ar: 'من', en: 'From' },
  to: { ar: 'إلى', en: 'To' },
  show: { ar: 'عرض الكشف', en: 'Show statement' },
  other_days: { ar: 'أيام أخرى', en: 'Other days' },
  this_month: { ar: 'هذا الشهر', en: 'This month' },
  last_month: { ar: 'الشهر الماضي', en: 'Last month' },
  this_year: { ar: 'هذه السنة', en: 'This year' },
  name: { ar: 'الاسم', en: 'Name' },
  phone: { ar: 'رقم الجوال', en: 'Mobile number' },
  program: { ar: 'البرنامج', en: 'Programme' },
  period: { ar: 'الفترة', en: 'Period' },
  made: { ar: 'صدر في', en: 'Made on' },
  date: { ar: 'التاريخ', en: 'Date' },
  what: { ar: 'الحركة', en: 'What happened' },
  points: { ar: 'النقاط', en: 'Points' },
  balance: { ar: 'الرصيد', en: 'Balance' },
  opening: { ar: 'الرصيد في بداية الفترة', en: 'Balance at the start' },
  closing: { ar: 'الرصيد في نهاية الفترة', en: 'Balance at the end' },
  came: { ar: 'مجموع ما أُضيف', en: 'Points added' },
  went: { ar: 'مجموع ما خُصم', en: 'Points deducted' },
  note: {
    ar: 'الرصيد هو النقاط المتاحة للاستخدام. النقاط التي تُحجز لطلب تُخصم منه عند الحجز، وتعود إليه إن لم يكتمل الطلب. التواريخ بتوقيت الرياض.',
    en: 'The balance is what can be spent. Points reserved for an order leave it when they are reserved, and come back if the order is never completed. Dates are those of Riyadh.',
  },
  print: {
    ar: 'للطباعة أو للحفظ بصيغة PDF يُستخدم أمر الطباعة في المتصفح.',
    en: 'To print it, or to keep it as a PDF, use the print command of your browser.',
  },
  wrong_days: {
    ar: 'تعذّر فهم هذين التاريخين. يجب أن يكون تاريخ البداية قبل تاريخ النهاية أو مثله.',
    en: 'These two days cannot be read as a period. Choose two days, the first not after the second.',
  },
  too_long: {
    ar: 'في هذه الفترة حركات أكثر مما يتسع له كشف واحد. اختر فترة أقصر.',
    en: 'There are more movements in this period than one statement holds. Choose a shorter one.',
  },
} as const satisfies Record<string, LocalText>
