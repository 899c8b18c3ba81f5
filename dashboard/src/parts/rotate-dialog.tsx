import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { after, day_ms } from '../../../src/domain/spans.ts'
import { useTexts } from '../texts/texts.tsx'
import { Dialog } from './dialog.tsx'
import { FormError } from './form.tsx'
import { readRiyadhField, riyadhField } from './riyadh-field.ts'
import type { Submit } from './use-submit.ts'

/** When a new secret begins to count: now, or at a time that the receiver is taught it before. */
export interface RotateAt {
  readonly at?: string
}

/** Asks when a secret is to be replaced. */
export function RotateDialog({ of, opened, onClose }: { of: Submit<RotateAt>; opened: boolean; onClose: () => void }) {
  const { t } = useTexts()
  const [when, setWhen] = useState('later')
  const [at, setAt] = useState(inADay)
  const instant = readRiyadhField(at)
  return (
    <Dialog opened={opened} onClose={onClose} title={t('webhooks.rotate')} sending={of.pending}>
      <Stack>
        <FormError of={of} />
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
            error={of.fieldError('at')}
            onChange={(event) => setAt(event.currentTarget.value)}
          />
        ) : null}
        <Group justify="flex-end">
          <Button
            loading={of.pending}
            disabled={when === 'later' && Number.isNaN(instant.getTime())}
            onClick={() => of.submit(when === 'later' ? { at: instant.toISOString() } : {})}
          >
            {t('webhooks.rotate')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Tomorrow at this minute. */
function inADay(): string {
  return riyadhField(after(new Date(), day_ms))
}
