import type { Failure } from '../../domain/failures.ts'
import type { Locale, LocalText } from '../../domain/locale.ts'
import type { Operator } from '../../domain/operator.ts'
import type { Page } from '../../http/pages/page.ts'
import { outcome } from './components.ts'
import { linkButton } from './controls.ts'
import { type Html, html } from './html.ts'
import { layout } from './layout.ts'

interface Notice {
  readonly title: LocalText
  readonly text: LocalText
}

const unavailable: Notice = {
  title: { en: 'We will be right back', ar: 'سنعود بعد قليل' },
  text: {
    en: 'The service is temporarily unavailable. Open this page again in a moment.',
    ar: 'الخدمة غير متاحة مؤقتًا. افتح هذه الصفحة مرة أخرى بعد قليل.',
  },
}

const unexpected: Notice = {
  title: { en: 'Something went wrong', ar: 'حدث خطأ' },
  text: {
    en: 'That is our mistake. Open this page again, and tell the store if it happens once more.',
    ar: 'الخطأ من طرفنا. افتح هذه الصفحة مرة أخرى، وأبلغ المتجر إن تكرر ذلك.',
  },
}

const badRequest: Notice = {
  title: { en: 'This page cannot be shown', ar: 'لا يمكن عرض هذه الصفحة' },
  text: {
    en: 'The browser asked for it in a way that we do not know. Open the link again.',
    ar: 'طلبها المتصفح بطريقة غير معروفة لدينا. افتح الرابط من جديد.',
  },
}

const notFound: Notice = {
  title: { en: 'There is no page here', ar: 'لا توجد صفحة هنا' },
  text: {
    en: 'The address may be mistyped, or the page has moved.',
    ar: 'ربما كُتب العنوان خطأً، أو نُقلت الصفحة.',
  },
}

const tooLarge: Notice = {
  title: { en: 'That was too much to send', ar: 'المحتوى المرسل كبير جدًا' },
  text: {
    en: 'Nothing was changed. Go back, shorten what you entered, and send it again.',
    ar: 'لم يتغيّر شيء. ارجع واختصر ما أدخلته ثم أرسله من جديد.',
  },
}

const tooSlow: Notice = {
  title: { en: 'That did not arrive in time', ar: 'لم يصل المحتوى في الوقت المحدد' },
  text: {
    en: 'Nothing was changed. Check the connection, then go back and send it again.',
    ar: 'لم يتغيّر شيء. تحقق من الاتصال ثم ارجع وأعد الإرسال.',
  },
}

const withoutCookies: Notice = {
  title: { en: 'Cookies are switched off', ar: 'ملفات تعريف الارتباط موقوفة' },
  text: {
    en: 'Nothing was changed. This page needs one cookie to know that it is you: allow cookies in the settings of your browser, then open the page again.',
    ar: 'لم يتغيّر شيء. تحتاج هذه الصفحة إلى ملف تعريف ارتباط واحد لتعرف أنك أنت: اسمح بملفات تعريف الارتباط في إعدادات المتصفح ثم افتح الصفحة من جديد.',
  },
}

const rejectedForm: Notice = {
  title: { en: 'Please send that again', ar: 'أعد الإرسال من فضلك' },
  text: {
    en: 'Nothing was changed. The page was open for a long time or was opened in another way: open it again and send the form once more.',
    ar: 'لم يتغيّر شيء. بقيت الصفحة مفتوحة طويلًا أو فُتحت بطريقة أخرى: افتحها من جديد وأرسل النموذج مرة أخرى.',
  },
}

const openAgain: LocalText = { en: 'Open the page again', ar: 'افتح الصفحة من جديد' }
const toStart: LocalText = { en: 'Go to the start page', ar: 'إلى الصفحة الرئيسية' }

function noticeOf(failed: Failure, status: number): Notice {
  switch (failed.kind) {
    case 'path_not_found':
      return notFound
    case 'database_unavailable':
      return unavailable
    case 'body_too_large':
      return tooLarge
    case 'request_timeout':
      return tooSlow
    case 'too_many_bodies':
    case 'bodies_exhausted':
      return unavailable
    case 'form_refused':
      return failed.cookies ? rejectedForm : withoutCookies
    default:
      return status >= 500 ? unexpected : badRequest
  }
}

export interface FailurePlace {
  /** The URL of a link to start over. */
  readonly again?: string | undefined
  /** Who runs the deployment. */
  readonly operator?: Operator
}

/** The page for a failure, without internals. */
export function showFailure(failed: Failure, status: number, locale: Locale, place: FailurePlace = {}): Page {
  const { title, text } = noticeOf(failed, status)
  const mark = failed.kind === 'path_not_found' ? 'ended' : 'failed'
  const body = html`${outcome(mark, title[locale], text[locale])}${wayOn(failed, locale, place)}`
  return layout({ status, locale, title: title[locale], body, operator: place.operator })
}

function wayOn({ kind }: Failure, locale: Locale, { again }: FailurePlace): Html | null {
  if (kind === 'path_not_found') return linkButton(toStart[locale], '/')
  return again === undefined ? null : linkButton(openAgain[locale], again)
}
