import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { DataOf } from '../../api/client.ts'
import { send } from '../../api/client.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { FormError } from '../../parts/form.tsx'
import { Figure, Money } from '../../parts/money.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

type Preview = DataOf<'/programs/{programId}/settlements/preview', 'get'>

/** Adds up the open period on demand, since that reads every entry in it, and closes it. */
export function OpenPeriod({ programId }: { programId: number }) {
  const { t } = useTexts()
  const [until, setUntil] = useState('')
  const [found, setFound] = useState<Preview>()
  const [asking, setAsking] = useState(false)
  const path = { programId }
  const ask = until === '' ? {} : { until }
  const preview = useSubmit({
    send: () => send('get', '/programs/{programId}/settlements/preview', { params: { path, query: ask } }),
    done: setFound,
  })
  const close = useSubmit({
    send: (_: undefined, key) =>
      send('post', '/programs/{programId}/settlements', { params: { path }, headers: key, body: ask }),
    stale: ['/programs/{programId}/settlements', '/programs/{programId}/proposals'],
    done: ({ proposal }) => {
      notifyDone(t(proposal === null ? 'settlements.closed' : 'settlements.waits'))
      setAsking(false)
      setFound(undefined)
    },
  })
  const due = found?.settlements.reduce((sum, { due_amount }) => sum + due_amount, 0) ?? 0
  return (
    <Card title={t('settlements.open')} lead={t('settlements.open_lead')}>
      <FormError of={preview} />
      <TextInput
        type="date"
        label={t('settlements.last_day')}
        description={t('settlements.last_day_hint')}
        value={until}
        error={preview.fieldError('until')}
        onChange={({ currentTarget }) => setUntil(currentTarget.value)}
        maw={320}
      />
      {found === undefined ? null : (
        <Facts
          rows={[
            { label: t('settlements.merchants'), value: <Figure value={found.settlements.length} /> },
            { label: t('settlements.due'), value: <Money sar={due} signed /> },
            {
              label: t('settlements.tie'),
              value: found.tie === null || found.tie.ties ? t('settlements.ties') : t('settlements.ties_not'),
            },
          ]}
        />
      )}
      <Button.Group mt="md">
        <Button variant="default" loading={preview.pending} onClick={() => preview.submit()}>
          {t('settlements.preview')}
        </Button>
        <Button disabled={found === undefined || found.settlements.length === 0} onClick={() => setAsking(true)}>
          {t('settlements.close')}
        </Button>
      </Button.Group>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('settlements.close_title')}
        label={t('settlements.close')}
        of={close}
        onConfirm={() => close.submit(undefined)}
        danger
      >
        {t('settlements.close_what')}
      </ConfirmDialog>
    </Card>
  )
}
