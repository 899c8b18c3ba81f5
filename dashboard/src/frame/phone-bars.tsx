import { UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { later } from '../app/later.ts'
import { Icon, Mark } from '../parts/icon.tsx'
import { WhenLoaded } from '../parts/when-loaded.tsx'
import { useTexts } from '../texts/texts.tsx'
import { type Area, useArea } from './area.ts'
import classes from './phone-bars.module.css'
import { SearchButton } from './search-palette.tsx'
import { UserMenu } from './user-menu.tsx'

const MoreDrawer = later(() => import('./more-drawer.tsx'), 'MoreDrawer')

/** Above the page where there is no sidebar: on narrow screens, and before a merchant or program is chosen. */
export function TopBar({ always }: { always: boolean }) {
  const { t } = useTexts()
  const area = useArea()
  return (
    <header className={classes.top} data-always={always}>
      <Link to="/" className={classes.product}>
        <Mark />
        <span className={classes.name} dir="auto">
          {area === undefined ? t('frame.product') : (area.name ?? t('frame.whole_service'))}
        </span>
      </Link>
      <div className={classes.tools}>
        <SearchButton compact />
        <UserMenu compact />
      </div>
    </header>
  )
}

const most_tabs = 4

/** Below the page on a phone: the first pages at the thumb, and all others in a drawer. */
export function BottomBar({ area: { pages } }: { area: Area }) {
  const { t } = useTexts()
  const [wasOpened, setWasOpened] = useState(false)
  const [isOpen, drawer] = useDisclosure(false, { onOpen: () => setWasOpened(true) })
  const giveUp = useCallback(() => {
    drawer.close()
    setWasOpened(false)
  }, [drawer.close])
  const bar = useBarSize()
  const daily = pages.filter(({ group }) => group === pages[0]?.group).slice(0, most_tabs)
  return (
    <>
      <nav ref={bar} className={classes.bottom} aria-label={t('frame.group_daily')}>
        {daily.map((page) => (
          <Link
            key={page.to}
            to={page.to}
            className={classes.tab}
            activeOptions={{ exact: page.isFirst, includeSearch: false }}
            activeProps={{ 'data-active': true }}
          >
            <Icon name={page.icon} size={22} />
            <span>{t(page.short)}</span>
          </Link>
        ))}
        <UnstyledButton className={classes.tab} onClick={drawer.open} aria-expanded={isOpen}>
          <Icon name="menu" size={22} />
          <span>{t('frame.more')}</span>
        </UnstyledButton>
      </nav>
      {wasOpened ? (
        <WhenLoaded onClose={giveUp}>
          <MoreDrawer opened={isOpen} onClose={drawer.close} />
        </WhenLoaded>
      ) : null}
    </>
  )
}

/** Tells the rest of the page how high the bar is: with large text, it has more lines. */
function useBarSize() {
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--bar-size', `${bar.current?.offsetHeight ?? 0}px`))
    if (bar.current !== null) observer.observe(bar.current, { box: 'border-box' })
    return () => {
      observer.disconnect()
      style.removeProperty('--bar-size')
    }
  }, [])
  return bar
}
