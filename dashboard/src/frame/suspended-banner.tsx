import { Alert } from '@mantine/core'
import { useOpenMerchant } from '../app/merchant.ts'
import { Icon } from '../parts/icon.tsx'
import { Time } from '../parts/time.tsx'
import { useTexts } from '../texts/texts.tsx'
import classes from './suspended-banner.module.css'

/** Says on every page of a suspended merchant why nothing works. */
export function SuspendedBanner() {
  const { t } = useTexts()
  const at = useOpenMerchant()?.suspended_at ?? null
  if (at === null) return null
  return (
    <Alert
      className={classes.banner}
      color="red"
      variant="light"
      icon={<Icon name="block" />}
      title={t('frame.suspended')}
      mb="lg"
    >
      {t.rich('frame.suspended_lead', { when: <Time at={at} style="ago" /> })}
    </Alert>
  )
}
