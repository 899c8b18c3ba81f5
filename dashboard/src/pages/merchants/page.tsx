import { Link } from '@tanstack/react-router'
import { useSession } from '../../app/merchant.ts'
import { Initial } from '../../frame/merchant-switch.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { merchantPath } from '../../parts/page-link.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './merchants.module.css'

/** The merchants of the reader. */
export function Page() {
  const { t } = useTexts()
  const { memberships, email } = useSession()
  if (memberships.length === 0)
    return (
      <>
        <PageHeader title={t('frame.merchants')} />
        <EmptyState
          icon="store"
          title={t('frame.no_merchants')}
          lesson={t.rich('frame.no_merchants_lesson', { email: <bdi>{email}</bdi> })}
        />
      </>
    )
  return (
    <>
      <PageHeader title={t('frame.merchants')} lead={t('frame.merchants_lead')} />
      <ul className={classes.list}>
        {memberships.map(({ merchant_id, merchant_name, role }) => (
          <li key={merchant_id}>
            <Link to={merchantPath(String(merchant_id), '')} className={classes.merchant}>
              <Initial name={merchant_name} />
              <span className={classes.words}>
                <span className={classes.name}>{merchant_name}</span>
                <span className={classes.role}>{t(`frame.role_${role}`)}</span>
              </span>
              <Icon name="chevron" />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
