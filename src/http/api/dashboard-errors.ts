import type { ErrorRow, FailureOf } from './error-row.ts'

type DeliveryKind = 'delivery_not_ended' | 'delivery_gone'
type LeftOutKind = 'cannot_leave_out' | 'left_out_full' | 'not_left_out'
type ProposalKind = 'proposal_own' | 'proposal_ended' | 'proposal_stale' | 'proposals_full'
type Kind =
  | 'merchant_not_found'
  | 'program_not_found'
  | 'not_found'
  | 'merchant_suspended'
  | 'customer_busy'
  | 'customer_blocked'
  | 'not_signed_in'
  | 'not_permitted'
  | 'cross_site'
  | 'stale'
  | 'verification_running'
  | 'settlement_running'
  | DeliveryKind
  | LeftOutKind
  | ProposalKind

/** The rows of the error table that only the dashboard's own API uses. */
export const dashboardErrors: { readonly [K in Kind]: ErrorRow<FailureOf<K>> } = {
  merchant_not_found: {
    status: 404,
    when: 'In the dashboard: the merchant is unknown, or none of yours.',
    text: {
      en: 'There is no such merchant, or you are not on its team. Choose one of your merchants.',
      ar: 'لا يوجد هذا التاجر، أو لست ضمن فريقه. اختر أحد متاجرك.',
    },
  },
  program_not_found: {
    status: 404,
    when: 'In the dashboard: the program is unknown.',
    text: {
      en: 'There is no such program. Choose one of the programs of this service.',
      ar: 'لا يوجد هذا البرنامج. اختر أحد برامج هذه الخدمة.',
    },
  },
  not_found: {
    status: 404,
    when: 'In the dashboard: there is nothing with this id.',
    text: {
      en: 'There is nothing here any more. Go back and reload the list.',
      ar: 'لم يعد هذا العنصر موجودًا. عُد وحدّث القائمة.',
    },
  },
  merchant_suspended: {
    status: 409,
    when: 'In the dashboard: a suspended merchant is to be published, or suspended once more, its keys are to be switched on, or its staff give or take points.',
    text: {
      en: 'This merchant is suspended. An operator has to lift the suspension first.',
      ar: 'هذا المتجر موقوف. يجب أن يرفع مشغّل البرنامج الإيقاف أولًا.',
    },
  },
  customer_busy: {
    status: 409,
    when: 'In the dashboard: a customer whose points are held for an order is to be merged.',
    text: {
      en: 'Points of this customer are held for an order. Complete or cancel that order first, or wait until its checkout ends.',
      ar: 'لهذا العميل نقاط محجوزة لطلب. أكمل الطلب أو ألغه أولًا، أو انتظر حتى تنتهي عملية دفعه.',
    },
  },
  customer_blocked: {
    status: 409,
    when: 'In the dashboard: a customer who is blocked is to be merged.',
    text: {
      en: 'This customer is blocked. Lift the block first.',
      ar: 'هذا العميل موقوف. ارفع الإيقاف أولًا.',
    },
  },
  not_signed_in: {
    status: 401,
    when: 'In the dashboard: there is no session, or it has ended.',
    text: {
      en: 'You are not signed in, or your session has ended. Sign in again.',
      ar: 'لم تسجّل الدخول، أو انتهت جلستك. سجّل الدخول مجددًا.',
    },
  },
  not_permitted: {
    status: 403,
    when: 'In the dashboard: your role does not admit it.',
    text: {
      en: 'Your role does not allow this. Ask an owner of the merchant.',
      ar: 'دورك لا يسمح بذلك. تواصل مع مالك المتجر.',
    },
  },
  cross_site: {
    status: 403,
    when: 'In the dashboard: a change that does not come from its own pages, or from one of an older session.',
    text: {
      en: 'This page is out of date. Reload it and try again.',
      ar: 'هذه الصفحة قديمة. حدّثها وحاول مجددًا.',
    },
  },
  stale: {
    status: 409,
    when: 'In the dashboard: somebody else has changed it since the page was loaded.',
    text: {
      en: 'Somebody else has changed this since you opened it. Compare, then save again.',
      ar: 'غيّر شخص آخر هذه البيانات بعد أن فتحتها. قارن ثم احفظ مجددًا.',
    },
    appended: ({ current }) => ({ current }),
  },
  proposal_own: {
    status: 403,
    when: 'In the dashboard: whoever proposed a change cannot confirm it.',
    text: {
      en: 'You proposed this yourself. Somebody else has to confirm it.',
      ar: 'أنت من اقترح هذا التغيير. يجب أن يؤكده شخص آخر.',
    },
  },
  proposal_ended: {
    status: 409,
    when: 'In the dashboard: a proposal was decided already, or its seven days are over.',
    text: {
      en: 'This proposal was decided already, or nobody decided in seven days. Reload the list.',
      ar: 'حُسم هذا المقترح من قبل، أو انقضت أيامه السبعة دون قرار. حدّث القائمة.',
    },
  },
  proposal_stale: {
    status: 409,
    when: 'In the dashboard: what a proposal rests on has changed since it was made.',
    text: {
      en: 'What this proposal rests on has changed since it was made. Reject it and propose the change again.',
      ar: 'تغيّر ما بُني عليه هذا المقترح منذ تقديمه. ارفضه ثم قدّم التغيير مجددًا.',
    },
  },
  proposals_full: {
    status: 409,
    when: 'Too many proposals wait for a second person: 100 in a program, and of those made at merchants 80, or 20 at one.',
    text: {
      en: 'Too many proposals wait for a second person already. Try again once some of them are decided.',
      ar: 'هناك مقترحات كثيرة بانتظار شخص ثانٍ. حاول مجددًا بعد أن يُحسم بعضها.',
    },
  },
  verification_running: {
    status: 409,
    when: 'In the dashboard: a ledger is being verified; there is one verification at a time in a deployment.',
    text: {
      en: 'A ledger is being verified already. Wait for its end, or cancel it.',
      ar: 'يجري التحقق من دفتر حسابات الآن. انتظر حتى ينتهي، أو ألغه.',
    },
  },
  settlement_running: {
    status: 409,
    when: 'In the dashboard: settlements of the program are being added up or closed already.',
    text: {
      en: 'This is under way already. Wait for its end, then begin again.',
      ar: 'العملية جارية الآن. انتظر حتى تنتهي، ثم ابدأ من جديد.',
    },
  },
  delivery_not_ended: {
    status: 409,
    when: 'In the dashboard: a delivery that is to be sent again has not ended.',
    text: {
      en: 'This delivery has not ended: it is still being tried. Wait for its last attempt.',
      ar: 'لم ينتهِ هذا الإشعار بعد: ما زالت المحاولات جارية. انتظر المحاولة الأخيرة.',
    },
  },
  delivery_gone: {
    status: 409,
    when: 'In the dashboard: a delivery whose webhook is deleted, or whose event is not kept any more, cannot be sent again.',
    text: {
      en: 'This delivery cannot be sent again, because its webhook or its event is not there any more.',
      ar: 'لا يمكن إعادة إرسال هذا الإشعار، فلم يعد الـ Webhook أو الحدث موجودًا.',
    },
  },
  cannot_leave_out: {
    status: 409,
    when: 'In the dashboard: leaving an order out of settlements that is not paid, or whose period is closed.',
    text: {
      en: 'This order is not paid, or its period is closed: it cannot be left out of settlements.',
      ar: 'هذا الطلب غير مدفوع، أو أُقفلت فترته: لا يمكن استثناؤه من التسويات.',
    },
  },
  left_out_full: {
    status: 409,
    when: 'In the dashboard: leaving out one more order of a merchant of whom 1,000 are left out of settlements.',
    text: {
      en: 'This merchant has 1,000 orders that are left out of settlements. Take some of them in again first.',
      ar: 'استُثني 1,000 طلب لهذا المتجر من التسويات. أعِد بعضها إليها أولًا.',
    },
  },
  not_left_out: {
    status: 409,
    when: 'In the dashboard: taking an order in again that is not left out of settlements.',
    text: {
      en: 'This order is not left out of settlements, so there is nothing to take back.',
      ar: 'هذا الطلب غير مستثنى من التسويات، فلا شيء لإعادته.',
    },
  },
}
