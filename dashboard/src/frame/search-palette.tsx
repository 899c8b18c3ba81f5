import { Kbd, UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useCallback, useEffect, useState } from 'react'
import { later } from '../app/later.ts'
import { Icon } from '../parts/icon.tsx'
import { WhenLoaded } from '../parts/when-loaded.tsx'
import { useTexts } from '../texts/texts.tsx'
import { useArea } from './area.ts'
import classes from './search-palette.module.css'
import { useTypedAhead } from './typed-ahead.ts'

const load = () => import('./palette.tsx')
const Palette = later(load, 'Palette')

/** The palette is loaded this long after the page, which comes first. */
const preload_ms = 2_000

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

/** The palette of the open merchant or program, loaded after the page. Mod+K opens it, also within a field. */
export function SearchPalette() {
  const area = useArea()
  const [times, setTimes] = useState(0)
  const [query, setQuery] = useState('')
  const typedAhead = useTypedAhead(setQuery)
  useHotkeys([['mod+K', openPalette]], [])
  useEffect(() => {
    const open = () => {
      setTimes((count) => count + 1)
      typedAhead.begin()
    }
    asked.addEventListener('open', open)
    return () => asked.removeEventListener('open', open)
  }, [typedAhead])
  const giveUp = useCallback(() => {
    setTimes(0)
    setQuery('')
  }, [])
  const isOffered = area !== undefined
  useEffect(() => {
    if (!isOffered) return
    const later = setTimeout(() => void load().catch(() => undefined), preload_ms)
    return () => clearTimeout(later)
  }, [isOffered])
  if (area === undefined || times === 0) return null
  return (
    <WhenLoaded onClose={giveUp} onFailed={typedAhead.end}>
      <Palette area={area} asked={times} query={query} onQuery={setQuery} />
    </WhenLoaded>
  )
}
