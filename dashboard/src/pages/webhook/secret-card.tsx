import { Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { FormError } from '../../parts/form.tsx'
import { SecretDialog, type Shown } from '../../parts/secret-dialog.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Webhook } from './page.tsx'

const listPath = '/merchants/{merchantId}/webhooks'

/** The masked secret, and its replacement: now, or at a time that the receiver is told before. */
export function SecretCard({ webhook }: { webhook: Webhook }) {
  const { t } = useTexts()
  const { may } = useMerchant()
  const [asked, setAsked] = useState(false)
  const [shown, setShown] = useState<readonly Shown[]>()
  const { secret, next_secret_from: next } = webhook
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
      <RotateDialog
        uuid={webhook.uuid}
        opened={asked}
        onClose={() => setAsked(false)}
        onRotated={(value) => {
          setAsked(false)
          setShown([{ label: t('webhooks.secret'), value }])
        }}
      />
      <SecretDialog title={t('webhooks.new_secret')} secrets={shown} onClose={() => setShown(undefined)} />
    </Card>
  )
}

function RotateDialog({
  uuid,
  opened,
  onClose,
  onRotated,
}: {
  uuid: string
  opened: boolean
  onClose: () => void
  onRotated: (secret: string) => void
}) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const [when, setWhen] = useState('later')
  const [at, setAt] = useState(inADay)
  const rotate = useSubmit({
    send: (body: { at?: string }, headers) =>
      send('post', '/merchants/{merchantId}/webhooks/{uuid}/rotate', {
        params: { path: { merchantId, uuid } },
        headers,
        body,
      }),
    done: ({ secret }) => onRotated(secret),
    stale: [listPath],
  })
  const instant = new Date(at)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('webhooks.rotate')}
      closeButtonProps={{ 'aria-label': t('frame.close') }}
    >
      <Stack>
        <FormError of={rotate} />
        <Radio.Group aria-label={t('webhooks.rotate_when')} value={when} onChange={setWhen}>
          <Stack gap="sm">
            <Radio
              size="md"
              value="later"
              label={t('webhooks.rotate_later')}
              description={t('webhooks.rotate_later_hint')}
            />
            <Radio size="md" value="now" label={t('webhooks.rotate_now')} description={t('webhooks.rotate_now_hint')} />
          </Stack>
        </Radio.Group>
        {when === 'later' ? (
          <TextInput
            type="datetime-local"
            label={t('webhooks.rotate_at')}
            dir="ltr"
            value={at}
            error={rotate.fieldError('at')}
            onChange={(event) => setAt(event.currentTarget.value)}
          />
        ) : null}
        <Group justify="flex-end">
          <Button
            loading={rotate.pending}
            disabled={when === 'later' && Number.isNaN(instant.getTime())}
            onClick={() => rotate.submit(when === 'later' ? { at: instant.toISOString() } : {})}
          >
            {t('webhooks.rotate')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** Tomorrow at this minute, as a field for local times takes it. */
function inADay(): string {
  return localField(new Date(Date.now() + 86_400_000))
}

export function localField(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
