import { useEffect, useId } from 'react'
import { loadForForms } from './later.ts'

/** What would be lost with the page now. Of several, the last one asks: so there is one question, about what is in sight. */
const unsaved = new Set<string>()

export const hasUnsaved = (): boolean => unsaved.size > 0

/** Notes that the page holds something that would be lost. @returns whether it is the one that asks */
export function useUnsaved(changed: boolean): () => boolean {
  const id = useId()
  useEffect(() => {
    if (!changed) return
    unsaved.add(id)
    loadForForms()
    return () => void unsaved.delete(id)
  }, [id, changed])
  return () => [...unsaved].at(-1) === id
}
