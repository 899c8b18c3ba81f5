import type { LocalText } from '../../domain/locale.ts'
import { notice } from '../design/components.ts'
import { moment } from '../design/format.ts'
import type { Html } from '../design/html.ts'
import { interpolate } from '../design/interpolate.ts'
import type { Showing } from './screen.ts'

/** Why no payment began: too many were. Below it stands the way back to the store. */

export const noPaymentTexts = {
  over: {
    en: 'Paying was begun too many times for this order, so no further payment can begin here. Go back to the store, or ask it how to pay.',
    ar: 'بدأ الدفع لهذا الطلب مرات كثيرة، فلا يمكن بدء عملية دفع أخرى هنا. ارجع إلى المتجر أو اسأله عن طريقة الدفع.',
  },
  wait: {
    en: 'Too many payments were begun from your network. You can pay from {time}, or prove your number by a code. You can also go back to the store.',
    ar: 'بدأت عمليات دفع كثيرة من شبكتك. يمكنك الدفع من الساعة {time}، أو إثبات رقمك برمز. ويمكنك أيضًا الرجوع إلى المتجر.',
  },
} as const satisfies Readonly<Record<string, LocalText>>

/** No limit on payments makes a customer wait longer. */
const longest_wait_ms = 2 * 3_600_000

/** On whatever screen the customer is; null where nothing of the kind is to be said. */
export function noPaymentNote({ view, query, locale, now }: Showing): Html | null {
  const { step, payments_over } = view
  if (step !== 'identify' && step !== 'onboard' && step !== 'choose' && step !== 'pay') return null
  // The page of a failed payment says it by itself.
  const says_itself = step === 'pay' && view.payment?.state === 'failed'
  if (query['note'] === 'no_more' && payments_over && !says_itself) return notice('error', noPaymentTexts.over[locale])
  if (query['note'] !== 'too_many_payments') return null
  const wait_ms = Number(query['until']) - now.getTime()
  if (!(wait_ms > 0 && wait_ms <= longest_wait_ms)) return null
  const time = moment(new Date(now.getTime() + wait_ms), locale, 'time')
  return notice('warning', interpolate(noPaymentTexts.wait, locale, { time }))
}
