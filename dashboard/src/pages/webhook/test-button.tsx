import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { send } from '../../api/client.ts'
import { useMerchant } from '../../app/merchant.ts'
import { notifyDone, notifyFailure } from '../../parts/notify.tsx'
import { usePath } from '../../parts/page-link.tsx'
import { usePageState } from '../../parts/page-state.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

/** Sends a test event, and shows how it goes. */
export function TestButton({ uuid }: { uuid: string }) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const navigate = useNavigate()
  const path = usePath()
  const { isLeft } = usePageState()
  const test = useSubmit({
    send: (_: undefined, headers) =>
      send('post', '/merchants/{merchantId}/webhooks/{uuid}/test', {
        params: { path: { merchantId, uuid } },
        headers,
      }).catch((error: unknown) => {
        notifyFailure(error, t)
        throw error
      }),
    done: async ({ delivery_id }) => {
      notifyDone(t('webhooks.test_sent'))
      if (!isLeft()) await navigate({ to: path(`deliveries/${delivery_id}`) })
    },
  })
  return (
    <Button loading={test.pending} onClick={() => test.submit(undefined)}>
      {t('webhooks.test')}
    </Button>
  )
}
