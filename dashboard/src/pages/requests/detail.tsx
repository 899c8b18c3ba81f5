import { Drawer, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RowOf } from '../../api/client.ts'
import { askForList } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Copyable } from '../../parts/copy-button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { Badge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { adviceOf, kindText } from './kinds.ts'
import classes from './requests.module.css'

export type LoggedRequest = RowOf<'/merchants/{merchantId}/requests'>

/** One request, beside the list. Its id is in the URL, so that a link leads to it. */
export function RequestDrawer({ request_id, close }: { request_id: string | undefined; close: () => void }) {
  const { t, dir } = useTexts()
  return (
    <Drawer
      opened={request_id !== undefined}
      onClose={close}
      title={t('requests.detail')}
      position={dir === 'rtl' ? 'left' : 'right'}
      size="lg"
      closeButtonProps={{ 'aria-label': t('requests.close') }}
      attributes={{ header: { role: 'none' } }}
    >
      {request_id === undefined ? null : <Found key={request_id} request_id={request_id} />}
    </Drawer>
  )
}

function Found({ request_id }: { request_id: string }) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const params = { path: { merchantId }, query: { request_id } }
  const { data } = useQuery(askForList('/merchants/{merchantId}/requests', { params }))
  if (data === undefined) return <Skeleton height={240} />
  const [found] = data.rows
  if (found === undefined)
    return <EmptyState icon="search" title={t('requests.gone')} lesson={t('requests.gone_lesson')} />
  return <Detail of={found} />
}

function Detail({ of }: { of: LoggedRequest }) {
  const { t, format } = useTexts()
  const { request_id, at, method, route, status, duration_ms, order_uuid, body_bytes, more } = of
  return (
    <Stack gap="lg">
      <p className={classes.first}>
        <StatusOf status={status} />
        <code dir="ltr">
          {method} {route}
        </code>
      </p>
      {of.failure === null ? null : <Refusal of={of} failure={of.failure} />}
      <dl className={classes.facts}>
        <Fact name={t('requests.request_id')}>
          <Copyable value={request_id} what={t('requests.request_id')} />
        </Fact>
        <Fact name={t('requests.at')}>
          <Time at={at} />
        </Fact>
        <Fact name={t('requests.duration')}>{t('requests.ms', { ms: format.number(duration_ms) })}</Fact>
        {order_uuid === null ? null : (
          <Fact name={t('requests.order')}>
            <PageLink to={`orders/${order_uuid}`}>
              <bdi>{order_uuid}</bdi>
            </PageLink>
          </Fact>
        )}
        {body_bytes === null ? null : (
          <Fact name={t('requests.size')}>{t('requests.bytes', { count: body_bytes })}</Fact>
        )}
      </dl>
      {more === 0 ? null : <p className={classes.more}>{t('requests.more', { count: more })}</p>}
      {of.body === null ? null : <Shape of={of.body} refused={of.fields} />}
    </Stack>
  )
}

export function StatusOf({ status }: { status: number }) {
  const tone = status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'
  return <Badge tone={tone}>{status}</Badge>
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Refusal({ of: { message, fields }, failure }: { of: LoggedRequest; failure: string }) {
  const { t } = useTexts()
  const advice = adviceOf(failure)
  return (
    <section className={classes.refusal}>
      <h2 className={classes.kind}>
        <Icon name="alert" />
        <code dir="ltr">{failure}</code>
      </h2>
      <Stack gap="sm">
        {message === null ? null : (
          <p className={classes.said}>
            <strong>{t('requests.said')}:</strong> {message}
          </p>
        )}
        {fields.length === 0 ? null : (
          <p className={classes.said}>
            <strong>{t('requests.fields')}:</strong> <FieldNames names={fields} />
          </p>
        )}
        {advice === undefined ? null : (
          <p className={classes.said}>
            <strong>{t('requests.what_to_do')}:</strong> {t(advice)}
          </p>
        )}
      </Stack>
    </section>
  )
}

export function FieldNames({ names }: { names: readonly string[] }) {
  return (
    <span className={classes.names}>
      {names.map((name) => (
        <code key={name} dir="ltr">
          {name}
        </code>
      ))}
    </span>
  )
}

/** The fields of a body; those that were refused are marked. */
function Shape({ of: { fields, unknown }, refused }: { of: NonNullable<LoggedRequest['body']>; refused: string[] }) {
  const { t } = useTexts()
  const names = new Set(refused.map((name) => name.replaceAll(/\.\d+(?=\.|$)/g, '.*')))
  return (
    <section>
      <h2 className={classes.heading}>{t('requests.body')}</h2>
      <p className={classes.more}>{t('requests.body_lead')}</p>
      <ul className={classes.shape}>
        {Object.entries(fields).map(([name, kind]) => (
          <li key={name} data-refused={names.has(name)}>
            <code dir="ltr">{name}</code>
            <span>{kindText(kind, t)}</span>
          </li>
        ))}
      </ul>
      {unknown === 0 ? null : <p className={classes.more}>{t('requests.unknown', { count: unknown })}</p>}
    </section>
  )
}
