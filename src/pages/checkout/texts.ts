import type { LocalText } from '../../domain/locale.ts'

/**
 * Texts of the hosted checkout. `interpolate` replaces `{names}`. Arabic buttons are nouns, which are free of gender, and
 * numbers of points stand where grammatical case does not change their form.
 */
type Texts = Readonly<Record<string, LocalText>>

export const common = {
  total: { en: 'Total', ar: 'الإجمالي' },
  orderNumber: { en: 'Order number', ar: 'رقم الطلب' },
  reference: { en: 'Reference', ar: 'الرقم المرجعي' },
  items: { en: 'What is in the order', ar: 'محتويات الطلب' },
  validUntil: { en: 'This page is valid until {time}.', ar: 'هذه الصفحة صالحة حتى {time}.' },
  otherTab: {
    en: 'This order was already confirmed in another tab. This is what was chosen there.',
    ar: 'تم تأكيد هذا الطلب في تبويب آخر، وهذا ما اخترته هناك.',
  },
  toStore: { en: 'Return to the store at {host}', ar: 'العودة إلى المتجر {host}' },
  leave: { en: 'Return to the store at {host} without paying', ar: 'العودة إلى المتجر {host} دون دفع' },
  leaveHint: {
    en: 'To leave without paying, close this page and go back to the store.',
    ar: 'للخروج دون دفع: أغلق هذه الصفحة وارجع إلى المتجر.',
  },
  continue: { en: 'Continue', ar: 'متابعة' },
  error: { en: 'Error', ar: 'خطأ' },
  stepNumber: { en: 'Number', ar: 'الرقم' },
  stepPoints: { en: 'Points', ar: 'النقاط' },
  stepConfirm: { en: 'Confirm', ar: 'التأكيد' },
  stepPay: { en: 'Payment', ar: 'الدفع' },
  goingBack: {
    en: 'A payment of {amount} came that this order could not take. It goes back to you by itself.',
    ar: 'وصل دفع بمبلغ {amount} لم يعد الطلب يقبله. سيُعاد إليك تلقائيًا.',
  },
  wentBack: {
    en: 'A payment of {amount} came that this order could not take. It has been given back to you.',
    ar: 'وصل دفع بمبلغ {amount} لم يعد الطلب يقبله، وقد أُعيد إليك.',
  },
} as const satisfies Texts

export const numberTexts = {
  givenTitle: { en: 'Confirm your mobile number', ar: 'تأكيد رقم الجوال' },
  givenLead: { en: 'We will send a six-digit code to this number:', ar: 'سنرسل رمزًا من ستة أرقام إلى هذا الرقم:' },
  other: { en: 'Use another number', ar: 'استخدام رقم آخر' },
  codeNeeded: {
    en: 'Nothing was used. For this, confirm your number by a code.',
    ar: 'لم يُستخدم شيء. تتطلب هذه الخطوة تأكيد رقمك برمز.',
  },
  elsewhere: {
    en: 'This order was confirmed in another browser. Prove the number again to go on in this one.',
    ar: 'هذا الطلب مؤكد في متصفح آخر. للمتابعة هنا يلزم إثبات الرقم من جديد.',
  },
  another: {
    en: 'This order was confirmed with another number. Prove that one to go on here.',
    ar: 'هذا الطلب مؤكد برقم آخر. للمتابعة هنا يلزم إثبات ذلك الرقم.',
  },
} as const satisfies Texts

export const chooseTexts = {
  title: { en: 'Use your points', ar: 'استخدام النقاط' },
  plainTitle: { en: 'Your order', ar: 'طلبك' },
  order: { en: 'Order {number}, total {total}', ar: 'الطلب {number}، الإجمالي {total}' },
  balance: { en: 'Your balance', ar: 'رصيدك' },
  worth: { en: 'worth {value}', ar: 'بقيمة {value}' },
  legend: { en: 'How many points do you want to use?', ar: 'كم نقطة تريد استخدامها؟' },
  whole: { en: 'Pay everything with points', ar: 'دفع المبلغ كاملًا بالنقاط' },
  wholeDetail: { en: '{points}, nothing left to pay', ar: '{points}، ولا يتبقى شيء للدفع' },
  all: { en: 'Use all my points', ar: 'استخدام كل نقاطي' },
  useful: { en: 'Use my points', ar: 'استخدام نقاطي' },
  kept: {
    en: '{points} for {value}, {due} left to pay. You keep {kept}, which would buy nothing more.',
    ar: '{points} بقيمة {value}، ويتبقى {due}. ويبقى لك {kept} لأنها لا تخصم شيئًا إضافيًا.',
  },
  some: { en: '{points} for {value}, {due} left to pay', ar: '{points} بقيمة {value}، ويتبقى {due}' },
  part: { en: 'Use some of them', ar: 'استخدام جزء منها' },
  partDetail: { en: 'You say how many', ar: 'العدد الذي تختاره' },
  none: { en: 'Keep my points', ar: 'الاحتفاظ بنقاطي' },
  noneDetail: { en: '{due} to pay', ar: 'المبلغ للدفع {due}' },
  noneEarning: { en: '{due} to pay, which earns {points}', ar: 'المبلغ للدفع {due}، ولك {points}' },
  field: { en: 'How much', ar: 'المقدار' },
  unit: { en: 'In points or in riyals', ar: 'بالنقاط أو بالريال' },
  inPoints: { en: 'points', ar: 'نقطة' },
  inRiyals: { en: 'riyals', ar: 'ريال' },
  shortcuts: { en: 'Fill in', ar: 'تعبئة سريعة' },
  quarter: { en: 'A quarter', ar: 'الربع' },
  half: { en: 'Half', ar: 'النصف' },
  everything: { en: 'All', ar: 'الكل' },
  fieldHint: {
    en: 'From {least} to {most} points. {step} are worth {value}, and points that buy nothing more stay yours.',
    ar: 'من {least} إلى {most} نقطة. قيمة {step} هي {value}، وما لا يخصم شيئًا إضافيًا يبقى لك.',
  },
  live: { en: '{value} off, {due} left to pay', ar: 'خصم {value}، ويتبقى {due}' },
  empty: {
    en: 'You have no points yet, so this order is paid with money.',
    ar: 'لا توجد نقاط في رصيدك بعد، فيُدفع هذا الطلب بالمال.',
  },
  tooLittle: {
    en: 'Your balance is worth less than one halala, so it stays in your wallet. You can use points from {least} on.',
    ar: 'قيمة رصيدك أقل من هللة واحدة، فيبقى في محفظتك. يمكن استخدام النقاط ابتداءً من {least}.',
  },
  negative: {
    en: 'Your balance is below zero, because the points of a refunded purchase were taken back. What you earn next fills it up. This order is paid with money.',
    ar: 'رصيدك أقل من الصفر، لأن نقاط عملية شراء مستردة قد سُحبت. تعوّضه النقاط التي تكسبها لاحقًا. يُدفع هذا الطلب بالمال.',
  },
  free: { en: 'There is nothing to pay for this order.', ar: 'لا يوجد مبلغ للدفع في هذا الطلب.' },
  missing: { en: 'Choose one of these.', ar: 'يلزم اختيار واحد مما يلي.' },
  notWhole: { en: 'Enter a whole number of points, 1 or more.', ar: 'أدخل عددًا صحيحًا من النقاط، 1 أو أكثر.' },
  notAmount: { en: 'Enter an amount in riyals, such as 12.50.', ar: 'أدخل مبلغًا بالريال، مثل 12.50.' },
  tooFew: {
    en: 'This is worth less than one halala. Enter at least {least}.',
    ar: 'قيمة هذا العدد أقل من هللة واحدة. الحد الأدنى هنا {least}.',
  },
  tooMany: { en: 'At most {most} can be used here.', ar: 'الحد الأقصى هنا {most}.' },
} as const satisfies Texts

export const confirmTexts = {
  used: { en: 'Points', ar: 'النقاط' },
  toPay: { en: 'Left to pay', ar: 'المتبقي للدفع' },
  pointsLeft: { en: 'Points left in your wallet', ar: 'النقاط المتبقية في محفظتك' },
  pointsEarned: { en: 'Points you will earn', ar: 'النقاط التي ستكسبها' },
  earns: { en: 'You will earn', ar: 'ستكسب' },
  pay: { en: 'Confirm and pay {due}', ar: 'تأكيد ودفع {due}' },
  reserve: { en: 'Confirm, and pay {due} to the store', ar: 'تأكيد، ودفع {due} للمتجر' },
  plain: { en: 'Confirm', ar: 'تأكيد' },
  nextPage: { en: 'What is left is paid on the next page.', ar: 'يُدفع المتبقي في الصفحة التالية.' },
  atStore: {
    en: 'Your points are reserved, and what is left is paid to the store.',
    ar: 'تُحجز نقاطك، ويُدفع المتبقي للمتجر.',
  },
  changed: {
    en: 'Your balance or the order has changed in the meantime. Nothing was used: these are the figures now.',
    ar: 'تغيّر رصيدك أو الطلب في هذه الأثناء. لم يُستخدم شيء، وهذه هي الأرقام الآن.',
  },
} as const satisfies Texts

export const payTexts = {
  title: { en: 'Payment', ar: 'الدفع' },
  lead: { en: 'Pay {due} to finish your order.', ar: 'يبقى دفع {due} لإتمام طلبك.' },
  reservedUntil: { en: 'Reserved until', ar: 'محجوزة حتى' },
  toPay: { en: 'To pay', ar: 'المبلغ للدفع' },
  go: { en: 'Continue to payment', ar: 'متابعة إلى الدفع' },
  again: { en: 'Try the payment again', ar: 'إعادة محاولة الدفع' },
  change: { en: 'Change the points', ar: 'تغيير النقاط' },
  usePoints: { en: 'Use points after all', ar: 'استخدام النقاط' },
  leftTitle: { en: 'You left the payment page', ar: 'عُدت دون دفع' },
  left: {
    en: 'Nothing was paid. Continue to the payment, or go back to the store.',
    ar: 'لم يُدفع شيء. يمكن متابعة الدفع أو الرجوع إلى المتجر.',
  },
  cancelledTitle: { en: 'You cancelled the payment', ar: 'أُلغي الدفع' },
  cancelled: {
    en: 'Nothing was paid. You can pay now, or go back to the store. Your points are still reserved.',
    ar: 'لم يُدفع شيء. يمكن الدفع الآن أو الرجوع إلى المتجر. ما زالت نقاطك محجوزة.',
  },
  cancelledPlain: {
    en: 'Nothing was paid. You can pay now, or go back to the store.',
    ar: 'لم يُدفع شيء. يمكن الدفع الآن أو الرجوع إلى المتجر.',
  },
  lapsedTitle: { en: 'The payment page has expired', ar: 'انتهت مهلة صفحة الدفع' },
  lapsed: {
    en: 'Nothing was paid. Open a new one to go on. Your points are still reserved.',
    ar: 'لم يُدفع شيء. تُفتح صفحة جديدة للمتابعة. ما زالت نقاطك محجوزة.',
  },
  lapsedPlain: {
    en: 'Nothing was paid. Open a new one to go on.',
    ar: 'لم يُدفع شيء. تُفتح صفحة جديدة للمتابعة.',
  },
  voided: {
    en: 'It was taken back at the payment service, so nothing is charged. Try again. Your points are still reserved.',
    ar: 'أُبطلت لدى مزوّد الدفع، فلم يُحصَّل شيء. يمكن إعادة المحاولة. ما زالت نقاطك محجوزة.',
  },
  voidedPlain: {
    en: 'It was taken back at the payment service, so nothing is charged. Try again.',
    ar: 'أُبطلت لدى مزوّد الدفع، فلم يُحصَّل شيء. يمكن إعادة المحاولة.',
  },
  failedTitle: { en: 'The payment did not go through', ar: 'لم تتم عملية الدفع' },
  declined: {
    en: 'The bank or the payment service refused it. Try again, perhaps with another card. Your points are still reserved.',
    ar: 'رفضها البنك أو مزوّد الدفع. يمكن إعادة المحاولة، وربما ببطاقة أخرى. ما زالت نقاطك محجوزة.',
  },
  unavailable: {
    en: 'The payment page cannot be opened at the moment. Try again shortly. Your points are still reserved.',
    ar: 'تعذّر فتح صفحة الدفع حاليًا. يمكن إعادة المحاولة بعد قليل. ما زالت نقاطك محجوزة.',
  },
  declinedPlain: {
    en: 'The bank or the payment service refused it. Try again, perhaps with another card.',
    ar: 'رفضها البنك أو مزوّد الدفع. يمكن إعادة المحاولة، وربما ببطاقة أخرى.',
  },
  unavailablePlain: {
    en: 'The payment page cannot be opened at the moment. Try again shortly.',
    ar: 'تعذّر فتح صفحة الدفع حاليًا. يمكن إعادة المحاولة بعد قليل.',
  },
  notNow: {
    en: 'The payment service does not answer, so nothing was changed. Try again in a moment.',
    ar: 'لا يستجيب مزوّد الدفع، فلم يتغيّر شيء. يمكن إعادة المحاولة بعد قليل.',
  },
  waitingTitle: { en: 'Waiting for the payment', ar: 'بانتظار تأكيد الدفع' },
  waiting: {
    en: 'The payment service has not confirmed it yet. This page looks again by itself, every few seconds.',
    ar: 'لم يصل تأكيد مزوّد الدفع بعد. تتحقق هذه الصفحة من ذلك تلقائيًا كل بضع ثوانٍ.',
  },
  close: {
    en: 'You may close it and lose nothing: the store is told as soon as the payment arrives, and this link shows it too.',
    ar: 'يمكن إغلاقها دون أن تفقد شيئًا: يُبلَّغ المتجر فور وصول الدفع، ويعرضه هذا الرابط أيضًا.',
  },
  look: { en: 'Look now', ar: 'التحقق الآن' },
  notPaid: { en: 'I have not paid yet', ar: 'لم أدفع بعد' },
} as const satisfies Texts

export const resultTexts = {
  paidTitle: { en: 'Paid. Thank you!', ar: 'تم الدفع، شكرًا لك' },
  paid: { en: 'Your order at {store} is paid.', ar: 'تم دفع طلبك لدى {store}.' },
  authorizedTitle: { en: 'Your order is confirmed', ar: 'تم تأكيد طلبك' },
  authorized: {
    en: 'Nothing is taken yet: points and money are reserved until {store} sends your order.',
    ar: 'لم يُحصَّل شيء بعد: النقاط والمبلغ محجوزان حتى يجهّز {store} طلبك.',
  },
  refundedTitle: { en: 'This order was refunded', ar: 'تم استرداد هذا الطلب' },
  partlyRefundedTitle: { en: 'This order was partly refunded', ar: 'تم استرداد جزء من هذا الطلب' },
  refunded: {
    en: 'Below is what had been paid. Points come back to your wallet, and money the way it was paid.',
    ar: 'في الأسفل ما كان قد دُفع. تعود النقاط إلى محفظتك، والمبلغ بالطريقة التي دُفع بها.',
  },
  reversedTitle: { en: 'This order was reversed', ar: 'أُلغي هذا الطلب' },
  reversed: {
    en: 'The payment service knows of no payment for it. Points that you used are back in your wallet. If the amount was taken from your account all the same, please ask {store}.',
    ar: 'لا تعرف خدمة الدفع أي دفعة له. عادت النقاط التي استخدمتها إلى محفظتك. إذا خُصم المبلغ من حسابك رغم ذلك فتواصل مع {store}.',
  },
  used: { en: 'Points used', ar: 'النقاط المستخدمة' },
  money: { en: 'Money paid', ar: 'المبلغ المدفوع' },
  pointsReserved: { en: 'Points reserved', ar: 'النقاط المحجوزة' },
  moneyReserved: { en: 'Money reserved', ar: 'المبلغ المحجوز' },
  earned: { en: 'Points earned', ar: 'النقاط المكتسبة' },
  balance: { en: 'Your balance now', ar: 'رصيدك الآن' },
  returning: { en: 'You return to the store in {time}.', ar: 'العودة إلى المتجر بعد {time}.' },
  stay: { en: 'Stay on this page', ar: 'البقاء في هذه الصفحة' },
  close: { en: 'You can close this page now.', ar: 'يمكنك إغلاق هذه الصفحة الآن.' },
  reservedTitle: { en: 'Your points are reserved', ar: 'نقاطك محجوزة' },
  confirmedTitle: { en: 'Your choice is confirmed', ar: 'تم تأكيد اختيارك' },
  reserved: {
    en: '{points} ({value}) are kept for this order. They are used when you pay {store} the remaining {due}.',
    ar: '{points} ({value}) محجوزة لهذا الطلب، وتُستخدم عند دفع المتبقي {due} إلى {store}.',
  },
  unreserved: {
    en: 'No points are used. You pay {store} {due}.',
    ar: 'لن تُستخدم أي نقاط. يُدفع {due} إلى {store}.',
  },
  reservedUntil: { en: 'Reserved until', ar: 'محجوزة حتى' },
  payStore: { en: 'To pay to the store', ar: 'للدفع إلى المتجر' },
  payStoreTitle: { en: 'One step left: pay the store', ar: 'بقيت خطوة: الدفع للمتجر' },
  backToPay: {
    en: 'Close this page and go back to the store to pay.',
    ar: 'أغلق هذه الصفحة وارجع إلى المتجر للدفع.',
  },
  goOn: { en: 'Go back to the store to go on.', ar: 'للمتابعة يلزم الرجوع إلى المتجر.' },
} as const satisfies Texts

export const endedTexts = {
  unknownTitle: { en: 'This link leads nowhere', ar: 'هذا الرابط غير صحيح' },
  unknown: {
    en: 'No checkout has this link. It may have been cut off: open it again from the store.',
    ar: 'لا توجد عملية دفع بهذا الرابط. ربما نُسخ ناقصًا: افتحه من جديد من المتجر.',
  },
  expiredTitle: { en: 'This checkout has expired', ar: 'انتهت مهلة عملية الدفع' },
  expired: {
    en: 'No points were used. Start the checkout again from the store.',
    ar: 'لم تُستخدم أي نقاط. للمتابعة تُفتح عملية دفع جديدة من المتجر.',
  },
  expiredPaying: {
    en: 'Should a payment still arrive, it completes the order or is given back to you. Else no points are used: start the checkout again from the store.',
    ar: 'إن وصل دفع بعد الآن فسيكتمل به الطلب أو يُعاد إليك، وإلا فلن تُستخدم أي نقاط. للمتابعة تُفتح عملية دفع جديدة من المتجر.',
  },
  closedTitle: { en: 'The store has gone on with this order', ar: 'تابع المتجر هذا الطلب' },
  closed: {
    en: 'It is no longer paid on this page. The store can tell you more about it.',
    ar: 'لم يعد يُدفع في هذه الصفحة. يمكن للمتجر إفادتك عنه.',
  },
  cancelledTitle: { en: 'The store cancelled this order', ar: 'ألغى المتجر هذا الطلب' },
  cancelled: {
    en: 'Points that were reserved for it are yours again, and money that was paid goes back to you.',
    ar: 'عادت إليك النقاط التي كانت محجوزة له، ويُعاد إليك ما دُفع من مال.',
  },
} as const satisfies Texts
