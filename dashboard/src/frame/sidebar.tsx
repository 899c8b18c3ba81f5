import { Link } from '@tanstack/react-router'
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
  return (
    <div className={classes.sidebar}>
      <Link to="/" className={classes.product}>
        <Mark />
        <span>{t('frame.product')}</span>
      </Link>
      <AreaSwitch />
      <SearchButton />
      <div className={classes.scroll}>
        <Navigation />
      </div>
      <UserMenu />
    </div>
  )
}
