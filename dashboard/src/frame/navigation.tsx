import { Link } from '@tanstack/react-router'
import { groups } from '../pages.ts'
import { Icon } from '../parts/icon.tsx'
import { useTexts } from '../texts/texts.tsx'
import { type OfferedPage, useArea } from './area.ts'
import classes from './navigation.module.css'

/** The links to all pages of the open merchant or program. `onGo` closes the drawer that it is in. */
export function Navigation({ onGo }: { onGo?: () => void }) {
  const { t } = useTexts()
  const pages = useArea()?.pages ?? []
  const shown = groups.filter((name) => pages.some(({ group }) => group === name))
  if (shown.length === 0) return null
  return (
    <nav className={classes.navigation} aria-label={t('frame.navigation')}>
      {shown.map((name) => (
        <section key={name}>
          <h2 className={classes.group}>{t(`frame.group_${name}`)}</h2>
          <ul className={classes.list}>
            {pages
              .filter(({ group }) => group === name)
              .map((page) => (
                <li key={page.to}>
                  <NavigationLink page={page} onGo={onGo} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

function NavigationLink({ page, onGo }: { page: OfferedPage; onGo: (() => void) | undefined }) {
  const { t } = useTexts()
  return (
    <Link
      to={page.to}
      className={classes.link}
      activeOptions={{ exact: page.isFirst, includeSearch: false }}
      activeProps={{ 'data-active': true }}
      onClick={onGo}
    >
      <Icon name={page.icon} />
      <span>{t(page.name)}</span>
    </Link>
  )
}
