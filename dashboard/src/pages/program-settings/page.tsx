import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ask } from '../../api/query.ts'
import { useProgram } from '../../app/program.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Rates } from './rates.tsx'
import { SettingsForm } from './settings-form.tsx'
import { Terms } from './terms.tsx'

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
          <Rates rates={rates} needsTwo={settings.two_person.rates} />
          <Terms today={rates.today} />
          <SettingsForm key={settings.version} saved={settings} />
        </Stack>
      )}
    </>
  )
}
