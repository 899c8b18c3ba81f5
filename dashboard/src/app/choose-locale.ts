import { useMutation } from '@tanstack/react-query'
import type { Locale } from '../../../src/domain/locale.ts'
import { send } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import { sessionOptions } from '../api/session.ts'
import { notifyFailure } from '../parts/notify.tsx'
import { useTexts } from '../texts/texts.tsx'
import { onChoiceElsewhere, showIn, showInBrowsers } from './locale.ts'

/** Shows the pages in another language, and stores the choice with the reader's account. */
export function useChooseLocale(): (locale: Locale) => void {
  const { t } = useTexts()
  const stored = useMutation({
    // One choice waits for the one before: two at a time could arrive in the other order.
    scope: { id: 'locale' },
    mutationFn: (locale: Locale) => send('patch', '/account', { body: { locale } }),
  })
  const choose = async (locale: Locale) => {
    if ((await showIn(locale)) && keepInSession(locale)) await stored.mutateAsync(locale)
  }
  return (locale) => {
    choose(locale).catch((error: unknown) => notifyFailure(error, t))
  }
}

/** Changes the language in what is known of the session. Gives whether it was another one. */
function keepInSession(locale: Locale | null): boolean {
  const session = queryClient.getQueryData(sessionOptions.queryKey)
  if (session === undefined || session.locale === locale) return false
  queryClient.setQueryData(sessionOptions.queryKey, { ...session, locale })
  return true
}

/** Shows the pages in the language that another tab of this browser chose. That tab remembers it with the account. */
export function followOtherTabs(): void {
  onChoiceElsewhere((locale) => {
    keepInSession(locale)
    // Without its texts, a page stays in the language that it has.
    ;(locale === null ? showInBrowsers() : showIn(locale)).catch(() => undefined)
  })
}
