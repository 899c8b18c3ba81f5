import type { Failure } from '../../domain/failures.ts'
import type { Locale, LocalText } from '../../domain/locale.ts'
import type { Operator } from '../../domain/operator.ts'
import type { Page } from '../../http/pages/page.ts'
import { catalogue } from '../texts/catalogue.ts'
import { outcome } from './components.ts'
import { linkButton } from './controls.ts'
import { type Html, html } from './html.ts'
import { layout } from './layout.ts'

interface Notice {
  readonly title: LocalText
  readonly text: LocalText
}

const { links } = catalogue.failure

function noticeOf(failed: Failure, status: number): Notice {
  switch (failed.kind) {
    case 'path_not_found':
      return catalogue.failure.notFound
    case 'database_unavailable':
      return catalogue.failure.unavailable
    case 'body_too_large':
      return catalogue.failure.tooLarge
    case 'request_timeout':
      return catalogue.failure.tooSlow
    case 'too_many_bodies':
    case 'bodies_exhausted':
      return catalogue.failure.unavailable
    case 'form_refused':
      return failed.cookies ? catalogue.failure.rejectedForm : catalogue.failure.withoutCookies
    default:
      return status >= 500 ? catalogue.failure.unexpected : catalogue.failure.badRequest
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
  if (kind === 'path_not_found') return linkButton(links.toStart[locale], '/')
  return again === undefined ? null : linkButton(links.openAgain[locale], again)
}
