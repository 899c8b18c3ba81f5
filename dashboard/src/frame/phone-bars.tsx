import { UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useOpenMerchant } from '../app/merchant.ts'
import { Icon, Mark } from '../parts/icon.tsx'
import { merchantPath } from '../parts/page-link.tsx'
import { useTexts } from '../texts/texts.tsx'
import { useMerchantPages } from './navigation.tsx'
import classes from './phone-bars.module.css'
import { SearchButton } from './search-palette.tsx'
import { UserMenu } from './user-menu.tsx'

const MoreDrawer = lazy(async () => ({ default: (await import('./more-drawer.tsx')).MoreDrawer }))

/** Above the page where there is no sidebar: on narrow screens, and before a merchant is chosen. */
export function TopBar({ always }: { always: boolean }) {
  const { t } = useTexts()
  const merchant = useOpenMerchant()
  return (
    <header className={classes.top} data-always={always}>
      <Link to="/" className={classes.product}>
        <Mark />
        <span className={classes.name}>{merchant?.name ?? t('frame.product')}</span>
      </Link>
      <div className={classes.tools}>
        <SearchButton compact />
        <UserMenu compact />
      </div>
    </header>
  )
}

/** Below the page on a phone: the daily pages at the thumb, and all others in a drawer. */
export function BottomBar() {
  const { t } = useTexts()
  const { merchantId = '' } = useParams({ strict: false })
  const [wasOpened, setWasOpened] = useState(false)
  const [isOpen, drawer] = useDisclosure(false, { onOpen: () => setWasOpened(true) })
  const daily = useMerchantPages().filter(({ group }) => group === 'daily')
  return (
    <>
      <nav className={classes.bottom} aria-label={t('frame.group_daily')}>
        {daily.map((page) => (
          <Link
            key={page.path}
            to={merchantPath(merchantId, page.path)}
            className={classes.tab}
            activeOptions={{ exact: page.path === '', includeSearch: false }}
            activeProps={{ 'data-active': true }}
          >
            <Icon name={page.icon} size={22} />
            <span>{t(page.name)}</span>
          </Link>
        ))}
        <UnstyledButton className={classes.tab} onClick={drawer.open} aria-expanded={isOpen}>
          <Icon name="menu" size={22} />
          <span>{t('frame.more')}</span>
        </UnstyledButton>
      </nav>
      {wasOpened ? (
        <Suspense>
          <MoreDrawer opened={isOpen} onClose={drawer.close} />
        </Suspense>
      ) : null}
    </>
  )
}
