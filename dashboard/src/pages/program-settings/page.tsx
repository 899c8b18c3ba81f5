import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { ask } from '../../api/query.ts'
import { later } from '../../app/later.ts'
import { useProgram } from '../../app/program.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { useTexts } from '../../texts/texts.tsx'

const Rates = later(() => import('./rates.tsx'), 'Rates')
const SettingsForm = later(() => import('./settings-form.tsx'), 'SettingsForm')
const Terms = later(() => import('./terms.tsx'), 'Terms')

/** What a point is worth, and the rules of a program. */
export function Page() {
  const { t } = useTexts()
  const { programId } = useProgram()
  const params = { path: { programId } }
  const { data: rates } = useQuery(ask('/programs/{programId}/rates', { params }))
  const { data: settings } = useQuery(ask('/programs/{programId}/settings', { params }))
  return (
    <>
      <PageHeader title={t('program-settings.name')} lead={t('program-settings.lead')} />
      {rates === undefined || settings === undefined ? (
        <PageSkeleton />
      ) : (
        <Stack gap="lg">
          <Suspense fallback={<Skeleton height={320} />}>
            <Rates rates={rates} needsTwo={settings.two_person.rates} />
            <Terms today={rates.today} />
            <SettingsForm saved={settings} />
          </Suspense>
        </Stack>
      )}
    </>
  )
}
