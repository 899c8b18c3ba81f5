/**
 * Our own terms, which customers of a program without its own agree to. A changed text needs a new version.
 * docs/spec/customers.md#terms
 */
import type { Locale } from './locale.ts'

export interface Terms {
  readonly title: string
  readonly lead: string
  readonly sections: readonly { readonly title: string; readonly paragraphs: readonly string[] }[]
}

const texts: Readonly<Record<Locale, Terms>> = {
  en: {
    title: 'Terms of the points programme',
    lead: 'What you can expect of your points, and what is kept about you. It takes two minutes to read.',
    sections: [
      {
        title: 'How you collect points',
        paragraphs: [
          'The merchants of this programme give you points for purchases, and some of them for reviews. The merchant tells you how many. A rate that changes applies to later orders, not to earlier ones.',
          'Your points belong to your mobile number. Whoever has a code that we send to this number can use them, so never give a code to anybody.',
        ],
      },
      {
        title: 'What points are worth',
        paragraphs: [
          'Points have no cash value. You can use them to pay at the merchants of this programme, and for nothing else: they are not paid out, sold or passed on to another person.',
          'Before you use points you see what they are worth in riyals. This value can change. Points do not expire.',
        ],
      },
      {
        title: 'When an order is cancelled or refunded',
        paragraphs: [
          'The points follow the money. Points that you earned with an order are taken back in the same proportion in which it is refunded, and points that you used for it come back to you.',
          'If you have already used points that are taken back, your balance falls below zero. You owe no money for that: the next points that you collect fill it up.',
        ],
      },
      {
        title: 'What is kept about you',
        paragraphs: [
          'Your mobile number, your name, and the history of your orders and points: merchant, order number, date, amount and points, with what the merchant tells us about the order, such as products and delivery address. When you agree to these terms, we also keep the version and the time.',
          'We keep no card details; you enter them at the payment provider. A merchant sees its own orders, not those that you placed with others.',
          'We use this to run the programme: to credit points, to let you use them, to send you codes, and to settle accounts with the merchants. It is not sold and not used for advertising.',
        ],
      },
      {
        title: 'How to see, correct or delete it',
        paragraphs: [
          'In your wallet you see your points and how they came about, at any time and free of charge.',
          'To have something corrected or everything deleted, ask any merchant of this programme. The request reaches those who run the programme, who ask you for a code to be sure that the number is yours. Your points end with the deletion, since nothing would be left that they could belong to. A merchant keeps what the law obliges it to keep, such as invoices.',
        ],
      },
      {
        title: 'When these terms change',
        paragraphs: [
          'The current version is always found here. It is recorded which version you agreed to. Points that you have already collected are not taken away by a change.',
        ],
      },
    ],
  },
  ar: {
    title: 'شروط برنامج النقاط',
    lead: 'ما الذي تتوقعه من نقاطك، وما الذي نحتفظ به من بياناتك. قراءتها لا تستغرق أكثر من دقيقتين.',
    sections: [
      {
        title: 'كيف تجمع النقاط',
        paragraphs: [
          'تمنحك متاجر هذا البرنامج نقاطًا على مشترياتك، وبعضها على تقييماتك أيضًا، ويوضح لك المتجر عددها. إذا تغيّر معدل منح النقاط فإنه يسري على الطلبات اللاحقة دون السابقة.',
          'نقاطك مرتبطة برقم جوالك، ويستطيع استخدامها كل من يحصل على الرمز الذي نرسله إلى هذا الرقم؛ فلا تعطِ الرمز لأي شخص.',
        ],
      },
      {
        title: 'ما قيمة النقاط',
        paragraphs: [
          'ليست للنقاط قيمة نقدية. يمكنك الدفع بها لدى متاجر هذا البرنامج فقط، ولا تُستبدل بالنقود ولا تُباع ولا تُنقل إلى شخص آخر.',
          'قبل استخدام النقاط ترى قيمتها بالريال، وقد تتغيّر هذه القيمة. لا تنتهي صلاحية النقاط.',
        ],
      },
      {
        title: 'عند إلغاء الطلب أو استرجاع المبلغ',
        paragraphs: [
          'النقاط تتبع المبلغ: تُسترد النقاط التي كسبتها من الطلب بنسبة ما استُرجع من مبلغه، وتعود إليك النقاط التي استخدمتها فيه.',
          'إذا كنت قد استخدمت نقاطًا ثم استُردّت، فقد يصبح رصيدك أقل من الصفر. لا يترتب عليك بذلك أي مبلغ، وإنما يُسدَّد من النقاط التي تجمعها لاحقًا.',
        ],
      },
      {
        title: 'ما الذي نحتفظ به من بياناتك',
        paragraphs: [
          'رقم جوالك واسمك وسجل طلباتك ونقاطك: المتجر ورقم الطلب والتاريخ والمبلغ والنقاط، مع ما يخبرنا به المتجر عن الطلب مثل المنتجات وعنوان التوصيل. وعند موافقتك على هذه الشروط نحفظ رقم الإصدار ووقت الموافقة.',
          'لا نحتفظ ببيانات البطاقات، فأنت تدخلها لدى مزود خدمة الدفع. ويرى كل متجر طلباتك لديه فقط، ولا يرى طلباتك لدى غيره.',
          'نستخدم هذه البيانات لتشغيل البرنامج: لإضافة النقاط وتمكينك من استخدامها وإرسال الرموز إليك وتسوية الحسابات مع المتاجر. لا تُباع بياناتك ولا تُستخدم للإعلانات.',
        ],
      },
      {
        title: 'كيف تطّلع على بياناتك أو تصححها أو تحذفها',
        paragraphs: [
          'ترى في محفظتك نقاطك ومصدر كل منها في أي وقت ومن دون مقابل.',
          'لتصحيح بياناتك أو حذفها كلها اطلب ذلك من أي متجر في هذا البرنامج، وسيصل طلبك إلى القائمين على البرنامج، الذين يطلبون منك رمزًا للتأكد من أن الرقم رقمك. تنتهي نقاطك بحذف بياناتك، إذ لا يبقى ما ترتبط به. ويحتفظ المتجر بما يلزمه النظام بالاحتفاظ به، مثل الفواتير.',
        ],
      },
      {
        title: 'عند تغيير هذه الشروط',
        paragraphs: [
          'تجد الإصدار الحالي هنا دائمًا، ونحفظ الإصدار الذي وافقت عليه. ولا يُسقط أي تغيير نقاطًا جمعتها من قبل.',
        ],
      },
    ],
  },
}

/** The current terms. Each consent records the version. */
export const terms = { version: '2026-11', texts } as const
