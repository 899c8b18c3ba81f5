import { Link, useParams } from '@tanstack/react-router'
import { useOpenMerchant } from '../app/merchant.ts'
import { type MerchantPage, merchantPages } from '../pages.ts'
import { Icon } from '../parts/icon.tsx'
import { merchantPath } from '../parts/page-link.tsx'
import { useTexts } from '../texts/texts.tsx'
import classes from './navigation.module.css'

const groups = [
  { name: 'daily', title: 'frame.group_daily' },
  { name: 'integration', title: 'frame.group_integration' },
  { name: 'settings', title: 'frame.group_settings' },
] as const

/** The pages that the reader may open at the open merchant. */
export function useMerchantPages(): readonly MerchantPage[] {
  const merchant = useOpenMerchant()
  return merchantPages.filter(({ group, may }) => group !== undefined && merchant?.may(may) === true)
}

/** The links to all pages of the open merchant. `onGo` closes the drawer that it is in. */
export function Navigation({ onGo }: { onGo?: () => void }) {
  const { t } = useTexts()
  const pages = useMerchantPages()
  if (pages.length === 0) return null
  return (
    <nav className={classes.navigation} aria-label={t('frame.navigation')}>
      {groups.map(({ name, title }) => (
        <section key={name}>
          <h2 className={classes.group}>{t(title)}</h2>
          <ul className={classes.list}>
            {pages
              .filter(({ group }) => group === name)
              .map((page) => (
                <li key={page.path}>
                  <NavigationLink page={page} onGo={onGo} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

function NavigationLink({ page, onGo }: { page: MerchantPage; onGo: (() => void) | undefined }) {
  const { t } = useTexts()
  const { merchantId = '' } = useParams({ strict: false })
  return (
    <Link
      to={merchantPath(merchantId, page.path)}
      className={classes.link}
      activeOptions={{ exact: page.path === '', includeSearch: false }}
      activeProps={{ 'data-active': true }}
      onClick={onGo}
    >
      <Icon name={page.icon} />
      <span>{t(page.name)}</span>
    </Link>
  )
}
