import { useEffect } from 'react'
import { useTexts } from '../texts/texts.tsx'

/** Names the page in the browser's tab, in the reader's language. Undefined leaves the name to another part of the page. */
export function useTitle(title: string | undefined): void {
  const product = useTexts().t('frame.product')
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${product}`
  }, [title, product])
}
