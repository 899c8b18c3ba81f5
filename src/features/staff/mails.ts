import { directionOf, type Locale, type LocalText } from '../../domain/locale.ts'
import type { Role } from '../../domain/staff.ts'
import { escapeText } from '../../lib/escape.ts'
import type { Mail } from '../../providers/mail/port.ts'

/** The mails of the dashboard: one short text with one link, in the reader's language, or in both when it is not known. */

interface Wording {
  readonly subject: LocalText
  readonly body: LocalText
  readonly button: LocalText
  readonly end: LocalText
}

const roleNames: Readonly<Record<Role, LocalText>> = {
  owner: { en: 'owner', ar: 'مالك' },
  manager: { en: 'manager', ar: 'مدير' },
  support: { en: 'support', ar: 'دعم' },
  read_only: { en: 'read-only', ar: 'قراءة فقط' },
}

export interface Invited {
  readonly merchant_name: string
  readonly merchant_name_ar: string | null
  readonly role: Role
  readonly invited_by: string
}

export function invitationMail(to: string, locale: Locale | null, link: string, invited: Invited): Mail {
  const { role, invited_by: by } = invited
  // A name of an older version may have line breaks, with which it would add paragraphs to the mail.
  const shop = oneLine(invited.merchant_name)
  const shop_ar = oneLine(invited.merchant_name_ar ?? shop)
  return mail(to, locale, link, {
    subject: { en: `Join ${shop} on Nuqta`, ar: `انضم إلى ${shop_ar} في نقطة` },
    body: {
      en: `${by} invites you to the team of ${shop} on Nuqta, as ${roleNames[role].en}.`,
      ar: `يدعوك ${by} إلى فريق ${shop_ar} في نقطة بدور: ${roleNames[role].ar}.`,
    },
    button: { en: 'Accept the invitation', ar: 'قبول الدعوة' },
    end: {
      en: 'The link works once, for seven days. If you do not know who this is, ignore this mail.',
      ar: 'يعمل الرابط مرة واحدة خلال سبعة أيام. إن كنت لا تعرف المرسل فتجاهل هذه الرسالة.',
    },
  })
}

export function resetMail(to: string, locale: Locale | null, link: string): Mail {
  return mail(to, locale, link, {
    subject: { en: 'Choose a new password for Nuqta', ar: 'اختر كلمة مرور جديدة لنقطة' },
    body: {
      en: 'Somebody, hopefully you, wants to choose a new password for your Nuqta account.',
      ar: 'طلب أحدهم، ونأمل أنه أنت، اختيار كلمة مرور جديدة لحسابك في نقطة.',
    },
    button: { en: 'Choose a password', ar: 'اختيار كلمة مرور' },
    end: {
      en: 'The link works once, for an hour. If it was not you, ignore this mail: nothing has changed.',
      ar: 'يعمل الرابط مرة واحدة خلال ساعة. إن لم يكن الطلب منك فتجاهل هذه الرسالة، فلم يتغير شيء.',
    },
  })
}

function mail(to: string, locale: Locale | null, link: string, wording: Wording): Mail {
  const locales: readonly Locale[] = locale === null ? ['ar', 'en'] : [locale]
  const subject = oneLine(locales.map((one) => wording.subject[one]).join(' · '))
  const parts = locales.map((one) => ({ one, ...of(wording, one) }))
  const text = parts.map(({ body, end }) => `${body}\n\n${link}\n\n${end}\n`).join('\n')
  const html = parts
    .map((part) => section(part.one, part, link))
    .join('\n<hr style="border:0;border-top:1px solid #ddd">\n')
  return { to, subject, text, html: `<!doctype html>\n<html><body style="margin:0">\n${html}\n</body></html>\n` }
}

function of({ body, button, end }: Wording, locale: Locale) {
  return { body: body[locale], button: button[locale], end: end[locale] }
}

function section(locale: Locale, { body, button, end }: ReturnType<typeof of>, link: string): string {
  const direction = directionOf(locale)
  const box =
    'font-family:sans-serif;font-size:16px;line-height:1.6;max-width:32em;margin:0 auto;padding:24px;color:#222'
  const primary =
    'display:inline-block;padding:10px 20px;border-radius:8px;background:#0b6b4f;color:#fff;text-decoration:none'
  return `<div dir="${direction}" lang="${locale}" style="${box}">
<p>${escapeText(body)}</p>
<p><a href="${escapeText(link)}" style="${primary}">${escapeText(button)}</a></p>
<p style="color:#666;font-size:14px">${escapeText(end)}</p>
</div>`
}

/** A header has one line. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ')
}
