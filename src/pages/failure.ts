import type { Failure } from '../domain/failures.ts'
import type { Bilingual, Locale } from '../http/locale.ts'
import type { Page } from '../http/pages.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'
import { cardStyle } from './style.ts'

interface Notice {
  readonly title: Bilingual
  readonly text: Bilingual
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

const wrongRequest: Notice = {
  title: { en: 'This page cannot be shown', ar: 'لا يمكن عرض هذه الصفحة' },
  text: {
    en: 'The browser asked for it in a way that we do not know. Open the link again.',
    ar: 'طلبها المتصفح بطريقة غير معروفة لدينا. افتح الرابط من جديد.',
  },
}

/** The page for whatever goes wrong on a page. No internals. */
export function showFailure({ kind }: Failure, status: number, locale: Locale): Page {
  const notice = kind === 'database_unavailable' ? unavailable : status >= 500 ? unexpected : wrongRequest
  const title = notice.title[locale]
  const body = html`<main><h1>${title}</h1><p>${notice.text[locale]}</p></main>`
  return layout({ status, locale, title, style: cardStyle, body })
}
