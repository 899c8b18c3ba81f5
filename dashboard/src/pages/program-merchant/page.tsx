import { Button, Skeleton, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { later } from '../../app/later.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { BackLink, merchantPath } from '../../parts/page-link.tsx'
import { WhenLoaded } from '../../parts/when-loaded.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Stage } from '../program-merchants/stage.tsx'
import { Glance, People } from './aside.tsx'
import classes from './merchant.module.css'
import { useReviewed } from './merchant.ts'
import { Flows, Standing } from './standing.tsx'
import { Suspended } from './suspended.tsx'

const PapersAndNote = later(() => import('./papers.tsx'), 'PapersAndNote')
const SuspendDialog = later(() => import('./suspend-dialog.tsx'), 'SuspendDialog')

/** What operators know of a merchant, and do about it. */
export function Page() {
  const { t, locale } = useTexts()
  const { merchantId } = useMerchant()
  const { name, name_ar, stage } = useReviewed()
  const [suspends, setSuspends] = useState(false)
  const [first, second] = locale === 'ar' ? [name_ar ?? name, name_ar === null ? null : name] : [name, name_ar]
  const number = t('frame.merchant_number', { number: String(merchantId) })
  return (
    <>
      <PageHeader
        title={first}
        badge={<Stage stage={stage} />}
        above={<BackLink to="merchants">{t('program.merchants')}</BackLink>}
        lead={
          <>
            {number}
            {second === null ? null : (
              <>
                {' · '}
                <bdi>{second}</bdi>
              </>
            )}
          </>
        }
        actions={
          <>
            {stage === 'suspended' ? null : (
              <Button variant="default" leftSection={<Icon name="block" size={18} />} onClick={() => setSuspends(true)}>
                {t('review.suspend')}
              </Button>
            )}
            <Button
              component={Link}
              to={merchantPath(String(merchantId), '')}
              rightSection={<Icon name="arrow" size={18} />}
            >
              {t('review.to_pages')}
            </Button>
          </>
        }
      />
      <Stack gap="lg">
        <Suspended />
        <div className={classes.page}>
          <div className={classes.column}>
            <Standing />
            <Suspense fallback={<Skeleton height={420} />}>
              <PapersAndNote />
            </Suspense>
          </div>
          <div className={classes.column}>
            <People />
            <Flows />
            <Glance />
          </div>
        </div>
      </Stack>
      {suspends ? (
        <WhenLoaded onClose={() => setSuspends(false)}>
          <SuspendDialog onClose={() => setSuspends(false)} />
        </WhenLoaded>
      ) : null}
    </>
  )
}
