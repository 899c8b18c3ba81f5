import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'

/** Stands for a page while it is loaded. */
export function PageSkeleton() {
  const { t } = useTexts()
  return (
    <Stack gap="lg" aria-busy="true">
      <VisuallyHidden role="status">{t('common.loading')}</VisuallyHidden>
      <Skeleton height={32} width="min(60%, 18rem)" />
      <Skeleton height={18} width="min(85%, 28rem)" />
      <Skeleton height={220} mt="md" />
    </Stack>
  )
}
