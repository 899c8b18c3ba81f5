import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ask } from '../../api/query.ts'
import { useProgram } from '../../app/program.ts'
import { Figure } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageButton } from '../../parts/page-link.tsx'
import { StatTile, StatTiles } from '../../parts/stat-tile.tsx'
import { useTexts } from '../../texts/texts.tsx'

/** How a program does, and what waits there. */
export function Page() {
  const { t } = useTexts()
  const { programId, name } = useProgram()
  const { data } = useQuery(ask('/programs/{programId}/overview', { params: { path: { programId } } }))
  const merchants = data?.merchants
  return (
    <>
      <PageHeader title={name} />
      <Stack gap="lg">
        <StatTiles>
          <StatTile label={t('program.merchants')} value={merchants && <Figure value={merchants.total} />} />
          <StatTile label={t('program.unverified')} value={merchants && <Figure value={merchants.unverified} />} />
          <StatTile label={t('program.unpublished')} value={merchants && <Figure value={merchants.unpublished} />} />
        </StatTiles>
        <PageButton to="merchants" variant="default" style={{ alignSelf: 'flex-start' }}>
          {t('program.to_merchants')}
        </PageButton>
      </Stack>
    </>
  )
}
