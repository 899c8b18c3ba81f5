import { Outlet, useLocation } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { useSession } from '../app/merchant.ts'
import { is_sandbox } from '../app/page-facts.ts'
import { reloadUnasked } from '../parts/ask-to-leave.tsx'
import { PageSkeleton } from '../parts/page-skeleton.tsx'
import { useTexts } from '../texts/texts.tsx'
import { useArea } from './area.ts'
import classes from './frame.module.css'
import { LostSession } from './lost-session.tsx'
import { NotUpToDate } from './not-up-to-date.tsx'
import { BottomBar, TopBar } from './phone-bars.tsx'
import { Proof } from './proof.tsx'
import { SandboxBanner } from './sandbox-banner.tsx'
import { SearchPalette } from './search-palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { SuspendedBanner } from './suspended-banner.tsx'

/** What stays around every page of somebody who is signed in. */
export function Frame() {
  const { t } = useTexts()
  const area = useArea()
  useSamePerson()
  return (
    <div className={classes.frame} data-sandbox={is_sandbox}>
      <a className={classes.skip} href="#content">
        {t('frame.skip')}
      </a>
      {is_sandbox ? <SandboxBanner /> : null}
      <div className={classes.body}>
        {area === undefined ? null : (
          <aside className={classes.side}>
            <Sidebar />
          </aside>
        )}
        <div className={classes.column}>
          <TopBar always={area === undefined} />
          <Main />
          {area === undefined ? null : <BottomBar area={area} />}
        </div>
      </div>
      <SearchPalette />
      <Proof />
      <LostSession />
    </div>
  )
}

/** What is on the screen was read, and typed, by whoever was signed in when the page began. */
function useSamePerson(): void {
  const { staff_uuid } = useSession()
  const first = useRef(staff_uuid)
  useEffect(() => {
    if (staff_uuid !== first.current) reloadUnasked()
  }, [staff_uuid])
}

/** The reader's clock may say another time than the pages. */
const is_elsewhere = new Date().getTimezoneOffset() !== -180

function Main() {
  const { t } = useTexts()
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  // A new page begins at its beginning, for screen readers too.
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <main id="content" ref={main} tabIndex={-1} className={classes.main}>
      <SuspendedBanner />
      <NotUpToDate />
      <Suspense fallback={<PageSkeleton />}>
        <Outlet />
      </Suspense>
      {is_elsewhere ? <p className={classes.zone}>{t('frame.zone')}</p> : null}
    </main>
  )
}
