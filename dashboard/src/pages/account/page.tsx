import { Skeleton, Stack } from '@mantine/core'
import { Suspense } from 'react'
import { later } from '../../app/later.ts'
import { useSession } from '../../app/merchant.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { HomeLink } from '../../parts/page-link.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Factors } from './factors.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'

const Sessions = later(() => import('./sessions.tsx'), 'Sessions')

/** What people decide about their own account. */
export function Page() {
  const { t } = useTexts()
  const { email } = useSession()
  return (
    <Stack gap="lg" maw={800} mx="auto">
      <PageHeader
        above={<HomeLink>{t('common.home')}</HomeLink>}
        title={t('account.name')}
        lead={t.rich('account.lead', { email: <bdi>{email}</bdi> })}
      />
      <Profile />
      <Password />
      <Factors />
      <Passkeys />
      <Suspense fallback={<Skeleton height={240} />}>
        <Sessions />
      </Suspense>
    </Stack>
  )
}
