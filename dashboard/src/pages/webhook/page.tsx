import { PageHeader } from '../../parts/page-header.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function Page() {
  const { t } = useTexts()
  return <PageHeader title={t('webhooks.one')} />
}
