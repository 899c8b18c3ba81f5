import { Kbd, UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { useTexts } from '../texts/texts.tsx'
import { useArea } from './area.ts'
import classes from './search-palette.module.css'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

const asked = new EventTarget()
const openPalette = (): void => {
  asked.dispatchEvent(new Event('open'))
}

const is_apple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Opens the palette, and tells its key. */
export function SearchButton({ compact = false }: { compact?: boolean }) {
  const { t } = useTexts()
  if (useArea() === undefined) return null
  return (
    <UnstyledButton
      className={classes.button}
      data-compact={compact}
      aria-label={compact ? t('frame.search') : undefined}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={openPalette}
    >
      <Icon name="search" size={compact ? 22 : 18} />
      {compact ? null : (
        <>
          <span className={classes.label}>{t('frame.search')}</span>
          <Kbd size="xs" dir="ltr">
            {is_apple ? '⌘ K' : 'Ctrl K'}
          </Kbd>
        </>
      )}
    </UnstyledButton>
  )
}

/** The palette of the open merchant or program, which loads when it is opened first. Mod+K opens it, also within a field. */
export function SearchPalette() {
  const area = useArea()
  const [times, setTimes] = useState(0)
  useHotkeys([['mod+K', openPalette]], [])
  useEffect(() => {
    const open = () => setTimes((count) => count + 1)
    asked.addEventListener('open', open)
    return () => asked.removeEventListener('open', open)
  }, [])
  if (area === undefined || times === 0) return null
  return (
    <Suspense>
      <Palette area={area} asked={times} />
    </Suspense>
  )
}
