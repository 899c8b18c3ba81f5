import { send } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import { sessionOptions } from '../api/session.ts'
import { notifyFailure } from '../parts/notify.tsx'
import type { Locale } from '../texts/catalogue.ts'
import { useTexts } from '../texts/texts.tsx'
import { showIn } from './locale.ts'

/** Shows the pages in another language, and remembers it with the account of who is signed in. */
export function useChooseLocale(): (locale: Locale) => void {
  const { t } = useTexts()
  return (locale) => {
    choose(locale).catch((error: unknown) => notifyFailure(error, t))
  }
}

async function choose(locale: Locale): Promise<void> {
  await showIn(locale)
  const session = queryClient.getQueryData(sessionOptions.queryKey)
  if (session === undefined || session.locale === locale) return
  queryClient.setQueryData(sessionOptions.queryKey, { ...session, locale })
  await send('patch', '/account', { body: { locale } })
}
