import { Button } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { type RotateAt, RotateDialog } from '../../parts/rotate-dialog.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import type { Shown } from '../../parts/secret-list.tsx'
import { Time } from '../../parts/time.tsx'
import { secretTurns } from '../../parts/use-awaits-secret.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Webhook } from './webhook.ts'

const listPath = '/merchants/{merchantId}/webhooks'

/** The masked secret, and its replacement: now, or at a time that the receiver is told before. */
export function SecretCard({ webhook }: { webhook: Webhook }) {
  const { t } = useTexts()
  const { may } = useMerchant()
  const [asked, setAsked] = useState(false)
  const [shown, setShown] = useState<readonly Shown[]>()
  const { secret, next_secret_from: next } = webhook
  const rotate = useRotation(webhook.uuid, (value) => {
    setAsked(false)
    setShown([{ label: t('webhooks.secret'), value }])
  })
  return (
    <Card
      title={t('webhooks.secret')}
      lead={t('webhooks.secret_lead')}
      actions={
        may('change_settings') ? (
          <Button variant="default" onClick={() => setAsked(true)}>
            {t('webhooks.rotate')}
          </Button>
        ) : undefined
      }
    >
      <Facts
        rows={[
          { label: t('webhooks.secret_now'), value: <code dir="ltr">{secret}</code> },
          ...(next === null ? [] : [{ label: t('webhooks.secret_next'), value: <Time at={next} /> }]),
        ]}
      />
      <RotateDialog of={rotate} opened={asked} onClose={() => setAsked(false)} />
      <SecretDialog title={t('webhooks.new_secret')} secrets={shown} onClose={() => setShown(undefined)} />
    </Card>
  )
}

function useRotation(uuid: string, onRotated: (secret: string) => void) {
  const { merchantId } = useMerchant()
  return useSubmit({
    turns: secretTurns,
    send: (body: RotateAt, headers) =>
      send('post', '/merchants/{merchantId}/webhooks/{uuid}/rotate', {
        params: { path: { merchantId, uuid } },
        headers,
        body,
      }),
    done: ({ secret }) => onRotated(secret),
    stale: [listPath],
  })
}
