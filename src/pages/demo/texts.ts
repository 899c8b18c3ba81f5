import type { LocalText } from '../../domain/locale.ts'

export const texts = {
  title: { en: 'Demo shop', ar: 'المتجر التجريبي' },
  lead: {
    en: 'Choose something. Then buy it at the till and collect points, or pay for it with points.',
    ar: 'اختر منتجًا، ثم اشترِه في المتجر واجمع النقاط، أو ادفع ثمنه بالنقاط.',
  },
  shown: {
    en: 'A shop like any other: it sells through the public API.',
    ar: 'متجر كأي متجر آخر: يبيع عبر واجهة البرمجة العامة.',
  },
  choose: { en: 'Choose', ar: 'اختر' },
  back: { en: 'All products', ar: 'كل المنتجات' },
  start: { en: 'Start page', ar: 'الصفحة الرئيسية' },
  customer: { en: 'You are', ar: 'أنت' },
  rich: { en: 'a customer with points', ar: 'عميل لديه نقاط' },
  poor: { en: 'a customer who begins to collect', ar: 'عميل يبدأ بجمع النقاط' },
  fresh: { en: 'somebody new', ar: 'شخص جديد' },
  sell: { en: 'Buy at the till, collect {points}', ar: 'اشترِ في المتجر واجمع {points}' },
  check_out: { en: 'Pay with points', ar: 'ادفع بالنقاط' },
  code: {
    en: 'Paying with points asks for a code. The sandbox shows it on the page.',
    ar: 'الدفع بالنقاط يتطلب رمزًا، وتعرضه البيئة التجريبية في الصفحة.',
  },
  too_many: {
    en: 'The demo shop has sold enough for now. Try again in an hour.',
    ar: 'باع المتجر التجريبي ما يكفي الآن. حاول مرة أخرى بعد ساعة.',
  },
  refused: {
    en: 'The shop could not sell just now. Try again in a moment; if that does not help, its settings have been changed.',
    ar: 'تعذّر البيع الآن. حاول مرة أخرى بعد قليل، وإن تكرر ذلك فقد تغيّرت إعدادات المتجر.',
  },
} as const satisfies Record<string, LocalText>

export const doneTexts = {
  earned: { en: 'You have collected {points}', ar: 'لقد جمعت {points}' },
  earned_lead: {
    en: 'The shop sent the purchase with your number. The points are in the wallet of {phone}.',
    ar: 'أرسل المتجر عملية الشراء مع رقمك، والنقاط الآن في محفظة {phone}.',
  },
  waiting: { en: '{points} are waiting', ar: 'بانتظارك {points}' },
  waiting_lead: {
    en: '{phone} is new here. The points come into the wallet when its owner has given a name and agreed to the terms.',
    ar: '{phone} جديد هنا. تصل النقاط إلى المحفظة بعد أن يذكر صاحبه اسمه ويوافق على الشروط.',
  },
  paid: { en: 'Thank you for your order', ar: 'شكرًا لطلبك' },
  paid_lead: {
    en: 'Back in the shop. It asked the API for the order instead of trusting the link that led here.',
    ar: 'عدت إلى المتجر. سأل المتجر واجهة البرمجة عن الطلب، ولم يعتمد على الرابط الذي أوصلك إلى هنا.',
  },
  unpaid: { en: 'The order is not paid', ar: 'الطلب غير مدفوع' },
  unpaid_lead: {
    en: 'You left the checkout before the end. No points were used.',
    ar: 'غادرت صفحة الدفع قبل إتمامها، ولم تُستخدم أي نقاط.',
  },
  none: { en: 'There is no such order', ar: 'لا يوجد طلب كهذا' },
  order: { en: 'Order', ar: 'الطلب' },
  reference: { en: 'Reference', ar: 'الرقم المرجعي' },
  total: { en: 'Total', ar: 'الإجمالي' },
  used: { en: 'Points used', ar: 'النقاط المستخدمة' },
  collected: { en: 'Points collected', ar: 'النقاط المكتسبة' },
  wallet: { en: 'See the wallet', ar: 'اعرض المحفظة' },
  again: { en: 'Back to the shop', ar: 'عودة إلى المتجر' },
  spend: { en: 'Now pay with points', ar: 'والآن ادفع بالنقاط' },
  request: { en: 'What the shop sent', ar: 'ما أرسله المتجر' },
} as const satisfies Record<string, LocalText>
