import { Alert, Anchor, Button, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { type DataOf, send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { later } from '../../app/later.ts'
import { useProgram } from '../../app/program.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { merchantPath } from '../../parts/page-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { erasure_path, type PersonDetail, stale_paths, useParamsOfPerson } from './person.ts'

const EraseDialog = later(() => import('./erase-dialog.tsx'), 'EraseDialog')

type Erasure = DataOf<typeof erasure_path, 'get'>
type Request = NonNullable<Erasure['request']>

/** Whether nothing can be taken back any more, and only the last of it is waited for. */
const isLast = (request: Erasure['request'] | undefined) => request?.state === 'due' && !request.cancellable

/** An erasure that can be asked for, waits, or could not be made. */
export function Erasing({ detail }: { detail: PersonDetail }) {
  const { t } = useTexts()
  const params = useParamsOfPerson()
  const [asks, setAsks] = useState(false)
  const { data } = useQuery({
    ...ask(erasure_path, { params }),
    refetchInterval: ({ state }) => (state.data?.request?.state === 'due' ? 3_000 : false),
  })
  const isGone = detail.customer.phone === null
  const isErased = (data?.request?.state === 'done' || isLast(data?.request)) && !isGone
  const client = useQueryClient()
  useEffect(() => {
    if (isErased) for (const path of stale_paths) void client.invalidateQueries({ queryKey: [path] })
  }, [isErased, client])
  if (data === undefined) return null
  const { request } = data
  if (request?.state === 'due') return <Waiting detail={detail} request={request} byCommand={data.by_command} />
  // A merge has taken the number away meanwhile.
  if (isGone && request?.state !== 'failed') return null
  return (
    <Card title={t('people.erase')} lead={t('people.erase_lead')}>
      <Stack gap="md" align="flex-start">
        {request?.state === 'failed' ? (
          <Alert color="red" variant="light" icon={<Icon name="alert" />} title={t('people.erase_failed')}>
            <Obstacle request={request} />
          </Alert>
        ) : null}
        {isGone ? null : (
          <Button
            variant="light"
            color="red"
            leftSection={<Icon name="trash" size={18} />}
            onClick={() => setAsks(true)}
          >
            {t('people.erase_ask')}
          </Button>
        )}
      </Stack>
      <Suspense>{asks ? <EraseDialog detail={detail} onClose={() => setAsks(false)} /> : null}</Suspense>
    </Card>
  )
}

interface Waits {
  readonly detail: PersonDetail
  readonly request: Request
  readonly byCommand: boolean
}

function Waiting({ detail: { customer }, request, byCommand }: Waits) {
  const { t } = useTexts()
  const isErased = isLast(request) && customer.phone === null && customer.merged_into === null
  const lead = t(byCommand ? 'people.erase_waits_command' : 'people.erase_waits_soon')
  return (
    <Card title={t('people.erase_waits')} lead={isErased ? t('people.erase_waits_last') : lead}>
      <Stack gap="md" align="flex-start">
        {byCommand && isErased ? lead : null}
        {byCommand ? <CommandLine /> : null}
        {request.obstacle === null ? null : (
          <Alert color="yellow" variant="light" icon={<Icon name="clock" />}>
            <Obstacle request={request} />
          </Alert>
        )}
        <Facts
          rows={[
            { label: t('people.erase_by'), value: <bdi>{request.asked_by}</bdi> },
            { label: t('people.erase_at'), value: <Time at={request.asked_at} /> },
            { label: t('people.reason'), value: <bdi>{request.reason ?? '—'}</bdi> },
          ]}
        />
        {request.cancellable ? <Cancel /> : null}
      </Stack>
    </Card>
  )
}

function CommandLine() {
  const { t } = useTexts()
  const { name } = useProgram()
  const program = name.replaceAll("'", String.raw`'\''`)
  return (
    <Copyable value={`nuqta customers erase --requested --program '${program}'`} what={t('people.erase_command')} />
  )
}

function Obstacle({ request: { obstacle, order } }: { request: Request }) {
  const { t } = useTexts()
  if (obstacle !== 'order') return <>{t(`people.erase_obstacle_${obstacle ?? 'error'}`)}</>
  return (
    <>
      {t('people.erase_obstacle_order')}{' '}
      {order === null ? null : (
        <Anchor
          component={Link}
          to={merchantPath(String(order.merchant_id), `orders/${order.order_uuid}`)}
          underline="always"
        >
          <bdi>{order.order_number}</bdi>
        </Anchor>
      )}
    </>
  )
}

function Cancel() {
  const { t } = useTexts()
  const params = useParamsOfPerson()
  const [asks, setAsks] = useState(false)
  const cancel = useSubmit({
    send: () => send('delete', erasure_path, { params }),
    done() {
      setAsks(false)
      notifyDone(t('people.erase_cancelled'))
    },
    stale: stale_paths,
  })
  return (
    <>
      <Button variant="default" onClick={() => setAsks(true)}>
        {t('people.erase_cancel')}
      </Button>
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title={t('people.erase_cancel_title')}
        label={t('people.erase_cancel')}
        of={cancel}
        onConfirm={() => cancel.submit(undefined)}
      >
        {t('people.erase_cancel_lead')}
      </ConfirmDialog>
    </>
  )
}
