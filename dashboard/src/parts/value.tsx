import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'

/** Something that may be missing: says "None" in its place. */
export function OrNone({ children }: { children: ReactNode }) {
  const { t } = useTexts()
  const isMissing = children === null || children === undefined || children === ''
  return isMissing ? <span className="missing">{t('common.none')}</span> : children
}
