import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ask } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { ProviderForm, paymentPath } from './provider-form.tsx'
import { SignedCheckouts } from './signed-checkouts.tsx'
import { TestCard } from './test-card.tsx'

/** Who takes the money of checkouts, and whether they are signed. */
export function Page() {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const { data } = useQuery(ask(paymentPath, { params: { path: { merchantId } } }))
  return (
    <>
      <PageHeader title={t('settings.payment')} lead={t('settings.payment_lead')} />
      {data === undefined ? (
        <PageSkeleton />
      ) : (
        <Stack gap="lg">
          <ProviderForm saved={data} />
          <TestCard provider={data.provider} />
          <SignedCheckouts on={data.signed_checkouts} />
        </Stack>
      )}
    </>
  )
}
