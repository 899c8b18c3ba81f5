import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Mark } from '../parts/icon.tsx'
import { useTexts } from '../texts/texts.tsx'
import { AreaSwitch } from './area-switch.tsx'
import { Navigation } from './navigation.tsx'
import { SearchButton } from './search-palette.tsx'
import classes from './sidebar.module.css'
import { UserMenu } from './user-menu.tsx'

/** The side of a wide screen. */
export function Sidebar() {
  const { t } = useTexts()
  const { pathname } = useLocation()
  const pages = useRef<HTMLDivElement>(null)
  // On a low screen the page that is open may be below the edge.
  useEffect(() => {
    const current = pages.current?.querySelector('[data-active]')
    if (pages.current && current) showWithin(pages.current, current)
  }, [pathname])
  return (
    <div className={classes.sidebar}>
      <Link to="/" className={classes.product}>
        <Mark />
        <span>{t('frame.product')}</span>
      </Link>
      <AreaSwitch />
      <SearchButton />
      <div ref={pages} className={classes.scroll}>
        <Navigation />
      </div>
      <UserMenu />
    </div>
  )
}

/** Scrolls a list, and nothing around it, until one of its items is in sight with its neighbours. */
function showWithin(list: HTMLElement, item: Element): void {
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()]
  const room = inner.height * 1.5
  if (inner.top < outer.top + room) list.scrollTop -= outer.top + room - inner.top
  if (inner.bottom > outer.bottom - room) list.scrollTop += inner.bottom - outer.bottom + room
}
