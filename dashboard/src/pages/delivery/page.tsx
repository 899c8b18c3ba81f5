import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type DataOf, send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { useMerchant, usePathParam } from '../../app/merchant.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { FormError } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { JsonViewer } from '../../parts/json-viewer.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { BackLink, PageLink } from '../../parts/page-link.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { Time } from '../../parts/time.tsx'
import { type Step, Timeline } from '../../parts/timeline.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { OrNone } from '../../parts/value.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Translate } from '../../texts/translate.ts'
import { Outcome } from '../deliveries/outcome.tsx'
import { AttemptError } from './attempt-error.tsx'

const path = '/merchants/{merchantId}/deliveries/{deliveryId}'
type Delivery = DataOf<typeof path, 'get'>
type Attempt = Delivery['attempts'][number]

const again_ms = 3_000

/** One delivery: what was sent, every attempt, and what the receiver answered. */
export function Page() {
  const { t } = useTexts()
  const { merchantId, may } = useMerchant()
  const deliveryId = usePathParam('deliveryId')
  const { data } = useQuery({
    ...ask(path, { params: { path: { merchantId, deliveryId } } }),
    // Until it has ended, its next attempt may come at any moment.
    refetchInterval: ({ state: { data: known } }) => (known?.state === 'due' ? again_ms : false),
  })
  if (data === undefined) return <PageSkeleton />
  return (
    <>
      <PageHeader
        title={data.event ?? t('deliveries.one')}
        badge={<Outcome state={data.state} />}
        above={<BackLink to="deliveries">{t('deliveries.name')}</BackLink>}
        actions={may('change_settings') && data.state !== 'due' ? <Replay deliveryId={deliveryId} /> : undefined}
      />
      <Stack gap="lg">
        <About delivery={data} />
        <Card title={t('deliveries.attempts')}>
          {data.attempts.length === 0 ? (
            <p>{t('deliveries.not_tried')}</p>
          ) : (
            <Timeline steps={data.attempts.map((attempt) => stepOf(attempt, t))} />
          )}
        </Card>
        <Card title={t('deliveries.sent')} lead={t('deliveries.sent_lead')}>
          {data.body === null ? (
            <p>{t('deliveries.not_kept_lead')}</p>
          ) : (
            <JsonViewer value={data.body} label={t('deliveries.body')} />
          )}
        </Card>
      </Stack>
    </>
  )
}

function About({ delivery }: { delivery: Delivery }) {
  const { t } = useTexts()
  const { webhook_uuid, webhook_name, url, order_uuid, due_at, delivery_id } = delivery
  return (
    <Card>
      <Facts
        rows={[
          {
            label: t('webhooks.one'),
            value: (
              <OrNone>
                {webhook_name === null ? null : (
                  <PageLink to={`webhooks/${webhook_uuid}`}>
                    <bdi>{webhook_name}</bdi>
                  </PageLink>
                )}
              </OrNone>
            ),
          },
          { label: t('webhooks.url'), value: <OrNone>{url === null ? null : <code dir="ltr">{url}</code>}</OrNone> },
          { label: t('deliveries.id'), value: <Copyable value={delivery_id} what={t('deliveries.id')} /> },
          {
            label: t('deliveries.order'),
            value:
              delivery.event === 'test' ? (
                t('deliveries.no_order')
              ) : (
                <PageLink to={`orders/${order_uuid}`}>{t('deliveries.order_open')}</PageLink>
              ),
          },
          { label: t('deliveries.at'), value: <Time at={delivery.created_at} /> },
          ...(due_at === null ? [] : [{ label: t('deliveries.next_attempt'), value: <Time at={due_at} /> }]),
          ...(delivery.ended_at === null
            ? []
            : [{ label: t('deliveries.ended'), value: <Time at={delivery.ended_at} /> }]),
        ]}
      />
    </Card>
  )
}

function stepOf(made: Attempt, t: Translate): Step {
  const { series, attempt, started_at, status, error, error_code, duration_ms, response } = made
  const isGood = error === null && status !== null && status >= 200 && status < 300
  return {
    id: `${series}.${attempt}`,
    at: started_at,
    icon: isGood ? 'check' : 'alert',
    tone: isGood ? 'good' : 'bad',
    title: t.rich(series === 1 ? 'deliveries.attempt' : 'deliveries.attempt_again', {
      again: <span className="figure">{series - 1}</span>,
      attempt: <span className="figure">{attempt}</span>,
      outcome: status === null ? t('deliveries.no_answer') : <code dir="ltr">{`HTTP ${status}`}</code>,
    }),
    detail: (
      <Stack gap="xs">
        {duration_ms === null ? null : <span>{t('deliveries.took', { ms: duration_ms })}</span>}
        {error === null ? null : <AttemptError error={error} code={error_code} />}
        {response === null || response === '' ? null : <JsonViewer value={response} label={t('deliveries.response')} />}
      </Stack>
    ),
  }
}

function Replay({ deliveryId }: { deliveryId: string }) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const replay = useSubmit({
    send: (_: undefined, headers) =>
      send('post', '/merchants/{merchantId}/deliveries/{deliveryId}/replay', {
        params: { path: { merchantId, deliveryId } },
        headers,
      }),
    done: () => notifyDone(t('deliveries.replaying')),
    stale: [path, '/merchants/{merchantId}/deliveries'],
  })
  return (
    <>
      <FormError of={replay} />
      <Button
        leftSection={<Icon name="refresh" size={18} />}
        loading={replay.pending}
        onClick={() => replay.submit(undefined)}
      >
        {t('deliveries.replay')}
      </Button>
    </>
  )
}
