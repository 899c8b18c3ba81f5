import { Alert, Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { stale_paths, useParamsOfMerchant, useReviewed } from './merchant.ts'

/** Says why the merchant does not work, with the way back. */
export function Suspended() {
  const { t } = useTexts()
  const params = useParamsOfMerchant()
  const { standing, suspended_at, suspended_by } = useReviewed()
  const [asks, setAsks] = useState(false)
  const resume = useSubmit({
    send: (keys_on: boolean, headers) =>
      send('post', '/programs/{programId}/merchants/{merchantId}/resume', { params, headers, body: { keys_on } }),
    done: () => setAsks(false),
    stale: stale_paths,
  })
  if (suspended_at === null) return null
  const values = { when: <Time at={suspended_at} />, by: <bdi>{suspended_by ?? '—'}</bdi> }
  return (
    <Alert color="red" variant="light" icon={<Icon name="block" />} title={t('review.suspended')}>
      <Stack gap="xs" align="flex-start">
        <bdi>{standing.suspended_reason}</bdi>
        <span>{t.rich('review.suspended_by', values)}</span>
        <Button size="sm" variant="default" onClick={() => setAsks(true)}>
          {t('review.resume')}
        </Button>
      </Stack>
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title={t('review.resume_title')}
        label={t('review.resume')}
        of={resume}
        onConfirm={() => resume.submit(!standing.key_status)}
      >
        {t(standing.key_status ? 'review.resume_lead' : 'review.resume_lead_keys')}
      </ConfirmDialog>
    </Alert>
  )
}
