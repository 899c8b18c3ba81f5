import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { after, before, day_ms, minute_ms } from '../../../../src/domain/spans.ts'
import { send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { Icon } from '../../parts/icon.tsx'
import { readRiyadhField, riyadhField } from '../../parts/riyadh-field.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

const path = '/merchants/{merchantId}/webhooks/{uuid}/replay'

interface Range {
  readonly since: string
  readonly until: string
}

/** Counts the failed deliveries of a period first, then sends them again. */
export function ReplayCard({ uuid }: { uuid: string }) {
  const { t } = useTexts()
  const [since, setSince] = useState(() => riyadhField(before(new Date(), day_ms)))
  const [until, setUntil] = useState(() => riyadhField(after(new Date(), minute_ms)))
  const [range, setRange] = useState<Range>()
  const [from, to] = [readRiyadhField(since), readRiyadhField(until)]
  const isRange = !Number.isNaN(from.getTime()) && !Number.isNaN(to.getTime()) && from < to
  return (
    <Card title={t('webhooks.replay_title')} lead={t('webhooks.replay_lead')}>
      <Stack>
        <Group align="flex-end" gap="md">
          <TextInput
            type="datetime-local"
            flex="1 1 14rem"
            label={t('webhooks.since')}
            dir="ltr"
            value={since}
            onChange={(event) => setSince(event.currentTarget.value)}
          />
          <TextInput
            type="datetime-local"
            flex="1 1 14rem"
            label={t('webhooks.until')}
            dir="ltr"
            value={until}
            error={isRange ? undefined : t('webhooks.range_wrong')}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
          <Button
            variant="default"
            disabled={!isRange}
            onClick={() => setRange({ since: from.toISOString(), until: to.toISOString() })}
          >
            {t('webhooks.count')}
          </Button>
        </Group>
        {range === undefined ? null : <Counted uuid={uuid} range={range} />}
      </Stack>
    </Card>
  )
}

function Counted({ uuid, range }: { uuid: string; range: Range }) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const [asked, setAsked] = useState(false)
  const [result, setResult] = useState<{ replayed: number; more: boolean }>()
  const { data } = useQuery({ ...ask(path, { params: { path: { merchantId, uuid }, query: range } }), staleTime: 0 })
  const replay = useSubmit({
    send: (body: Range, headers) => send('post', path, { params: { path: { merchantId, uuid } }, headers, body }),
    done: (answer) => {
      setAsked(false)
      setResult(answer)
    },
    stale: [path, '/merchants/{merchantId}/deliveries'],
  })
  return (
    <div role="status">
      {result === undefined ? null : (
        <Alert variant="light" color="brand" icon={<Icon name="check" />}>
          {t('webhooks.replayed', { count: result.replayed, number: result.replayed })}
        </Alert>
      )}
      {data === undefined || (data.failed === 0 && result !== undefined) ? null : (
        <Group mt="sm">
          <span>{t('webhooks.counted', { count: data.failed, number: data.failed })}</span>
          {data.failed === 0 ? null : (
            <Button onClick={() => setAsked(true)} leftSection={<Icon name="refresh" size={18} />}>
              {t('webhooks.replay')}
            </Button>
          )}
        </Group>
      )}
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        title={t('webhooks.replay_title')}
        label={t('webhooks.replay')}
        of={replay}
        onConfirm={() => replay.submit(range)}
      >
        {t('webhooks.replay_warning', { count: data?.failed ?? 0, number: data?.failed ?? 0 })}
        {data?.more === true ? ` ${t('webhooks.replay_more')}` : ''}
      </ConfirmDialog>
    </div>
  )
}
