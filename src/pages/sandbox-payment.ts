import { DomainError } from '../domain/failures.ts'
import { parseUuid } from '../domain/ids.ts'
import type { Locale, LocalText } from '../domain/locale.ts'
import { isUnused, type SandboxCard, sandboxCards } from '../domain/sandbox-payment.ts'
import type { SandboxPage, SandboxRow } from '../features/payments/sandbox.ts'
import { type Page, type PageRequest, type PageRow, redirect } from '../http/pages/page.ts'
import { actions, card, heading, outcome, sandboxBanner, summary } from './design/components.ts'
import { button, choiceCards, form, linkButton } from './design/controls.ts'
import { amount } from './design/format.ts'
import { type Html, html } from './design/html.ts'
import type { IconName } from './design/icons.ts'
import { layout } from './design/layout.ts'

export interface SandboxPaymentServices {
  /** Undefined in production, where the page does not exist. */
  readonly sandboxPage: SandboxPage | undefined
}

/** The payment page of the sandbox provider. Each test card behaves in a way that banks do. It never asks for a card number. */
export const sandboxPaymentPage: PageRow<SandboxPaymentServices> = {
  path: '/sandbox/pay/:program/:payment_uuid',
  async show(request, services) {
    const { payment } = await find(request, services)
    if (isUnused(payment)) return choicePage(request, payment)
    return payment.state === 'challenge' ? challengePage(request, payment) : usedPage(request, payment)
  },
  async submit(request, services) {
    const { key, payment, page } = await find(request, services)
    const { card: name, passed } = request.form
    const chosen = sandboxCards.find((one) => one === name)
    if (passed !== undefined) await page.answer(key, passed === 'yes')
    else if (chosen !== undefined) await page.choose(key, chosen)
    // The bank's question comes before the redirect back.
    const stays = chosen === 'challenge' || (passed === undefined && chosen === undefined)
    return redirect(stays ? pathOf(request) : payment.return_url)
  },
}

async function find(request: PageRequest, { sandboxPage }: SandboxPaymentServices) {
  const program = request.params['program'] ?? ''
  const payment_uuid = parseUuid(request.params['payment_uuid'] ?? '')
  if (sandboxPage === undefined || payment_uuid === null || !/^[1-9]\d{0,14}$/.test(program))
    throw new DomainError({ kind: 'path_not_found' })
  const key = { program_id: Number(program), payment_uuid }
  const payment = await sandboxPage.read(key)
  if (payment === null) throw new DomainError({ kind: 'path_not_found' })
  return { key, payment, page: sandboxPage }
}

function pathOf({ params }: PageRequest): string {
  return `/sandbox/pay/${params['program'] ?? ''}/${params['payment_uuid'] ?? ''}`
}

const texts = {
  title: { en: 'Sandbox payment', ar: 'دفع تجريبي' },
  lead: {
    en: 'No money moves here, and no card number is asked for. Choose how the bank behaves.',
    ar: 'لا تتحرك أي أموال هنا ولا يُطلب رقم بطاقة. اختر كيف يتصرف البنك.',
  },
  order: { en: 'For', ar: 'لأجل' },
  amount: { en: 'Amount', ar: 'المبلغ' },
  reserved: { en: 'Amount to reserve', ar: 'المبلغ المراد حجزه' },
  cards: { en: 'Test card', ar: 'بطاقة تجريبية' },
  pay: { en: 'Pay', ar: 'ادفع' },
  challenge: { en: 'The bank asks whether it is you', ar: 'يسأل البنك إن كنت أنت' },
  challenge_lead: {
    en: 'A real bank would ask for a code or for your app now.',
    ar: 'كان البنك الحقيقي سيطلب الآن رمزًا أو موافقة في تطبيقه.',
  },
  yes: { en: 'Yes, confirm the payment', ar: 'نعم، أكّد الدفع' },
  no: { en: 'No, refuse it', ar: 'لا، ارفضه' },
  over: { en: 'This payment page has been used', ar: 'استُخدمت صفحة الدفع هذه' },
  over_lead: { en: 'Go back to the checkout to see what became of it.', ar: 'عُد إلى عملية الدفع لترى نتيجتها.' },
  back: { en: 'Back to the checkout', ar: 'العودة إلى عملية الدفع' },
} as const satisfies Record<string, LocalText>

interface CardTexts {
  readonly icon: IconName
  readonly title: LocalText
  readonly text: LocalText
}

const cards: Readonly<Record<SandboxCard, CardTexts>> = {
  succeeds: {
    icon: 'check',
    title: { en: 'Succeeds', ar: 'تنجح' },
    text: { en: 'Paid at once.', ar: 'يُدفع المبلغ فورًا.' },
  },
  declined: {
    icon: 'error',
    title: { en: 'Declined', ar: 'مرفوضة' },
    text: {
      en: 'The bank says no; the checkout offers to try again.',
      ar: 'يرفض البنك، وتعرض صفحة الدفع المحاولة من جديد.',
    },
  },
  challenge: {
    icon: 'lock',
    title: { en: 'Asks for confirmation', ar: 'تطلب تأكيدًا' },
    text: {
      en: 'The bank asks a question first, as 3-D Secure does.',
      ar: 'يطرح البنك سؤالًا أولًا كما في \u200e3-D Secure\u200e.',
    },
  },
  slow: {
    icon: 'clock',
    title: { en: 'Slow', ar: 'بطيئة' },
    text: { en: 'Stays pending for 15 seconds, then succeeds.', ar: 'تبقى معلّقة 15 ثانية ثم تنجح.' },
  },
  vanishes: {
    icon: 'warning',
    title: { en: 'Vanishes', ar: 'تختفي' },
    text: {
      en: 'Paid at once; a minute later the provider knows nothing of it, and the order is reversed.',
      ar: 'يُدفع المبلغ فورًا، وبعد دقيقة لا يعرف مزوّد الدفع عنه شيئًا فيُعكس الطلب.',
    },
  },
  cancel: {
    icon: 'back',
    title: { en: 'Cancel', ar: 'إلغاء' },
    text: { en: 'Go back without paying.', ar: 'عُد دون دفع.' },
  },
}

function choicePage(request: PageRequest, payment: SandboxRow): Page {
  const { locale } = request
  const choices = sandboxCards.map((value) => {
    const { icon, title, text } = cards[value]
    return { value, icon, title: title[locale], text: text[locale] }
  })
  const chosen = choiceCards({ name: 'card', legend: texts.cards[locale], choices, chosen: 'succeeds' })
  const body = html`${heading(texts.title[locale], texts.lead[locale])}
${receipt(payment, locale)}
${form({ action: pathOf(request), csrf: request.csrf }, html`${chosen}${actions(button(texts.pay[locale], { icon: 'lock' }))}`)}`
  return page(request, texts.title[locale], body)
}

function challengePage(request: PageRequest, payment: SandboxRow): Page {
  const { locale } = request
  const answers = actions(
    button(texts.yes[locale], { name: 'passed', value: 'yes' }),
    button(texts.no[locale], { name: 'passed', value: 'no', kind: 'secondary' }),
  )
  const body = html`${heading(texts.challenge[locale], texts.challenge_lead[locale])}
${receipt(payment, locale)}
${form({ action: pathOf(request), csrf: request.csrf }, answers)}`
  return page(request, texts.challenge[locale], body)
}

function usedPage(request: PageRequest, payment: SandboxRow): Page {
  const { locale } = request
  const body = html`${outcome('success', texts.over[locale], texts.over_lead[locale])}
${actions(linkButton(texts.back[locale], payment.return_url))}`
  return page(request, texts.over[locale], body)
}

function receipt({ kind, description, amount_halalas }: SandboxRow, locale: Locale): Html {
  return card(
    summary([
      { label: texts.order[locale], value: html`<bdi>${description}</bdi>` },
      {
        label: (kind === 'auth' ? texts.reserved : texts.amount)[locale],
        value: amount(amount_halalas, locale),
        strong: true,
      },
    ]),
  )
}

function page({ locale, query }: PageRequest, title: string, body: Html): Page {
  return layout({ status: 200, locale, title, body, query, banner: sandboxBanner(locale), scripts: ['forms'] })
}
