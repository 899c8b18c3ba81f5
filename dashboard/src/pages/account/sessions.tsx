import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type RowOf, send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { Card } from '../../parts/card.tsx'
import { FormError } from '../../parts/form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { Badge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './account.module.css'

type Session = RowOf<'/sessions'>

/** Every browser in which the person is signed in. */
export function Sessions() {
  const { t } = useTexts()
  const { data: sessions } = useQuery(ask('/sessions'))
  const endOthers = useSubmit({
    send: () => send('post', '/sessions/end-others'),
    stale: ['/sessions'],
    done: ({ ended }) => notifyDone(t('account.sessions_ended', { count: ended })),
  })
  const hasOthers = sessions !== undefined && sessions.length > 1
  return (
    <Card
      title={t('account.sessions')}
      actions={
        hasOthers ? (
          <Button variant="default" size="sm" loading={endOthers.pending} onClick={() => endOthers.submit()}>
            {t('account.sessions_end_others')}
          </Button>
        ) : undefined
      }
    >
      <FormError of={endOthers} />
      {sessions === undefined ? (
        <Skeleton height={64} />
      ) : (
        <ul className={classes.list}>
          {sessions.map((session) => (
            <Row key={session.session_uuid} session={session} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Row({ session: { session_uuid: sessionUuid, current, browser, address, seen_at } }: { session: Session }) {
  const { t } = useTexts()
  const end = useSubmit({
    send: () => send('delete', '/sessions/{sessionUuid}', { params: { path: { sessionUuid } } }),
    stale: ['/sessions'],
  })
  return (
    <li className={classes.row}>
      <div>
        <div className={classes.name}>{browser ?? t('account.session_unknown')}</div>
        <div className={classes.detail}>
          {address === null ? null : (
            <>
              <bdi>{address}</bdi>
              {' · '}
            </>
          )}
          {t.rich('account.session_seen', { when: <Time at={seen_at} style="ago" /> })}
        </div>
      </div>
      {current ? (
        <Badge tone="good">{t('account.session_this')}</Badge>
      ) : (
        <Button variant="default" size="sm" loading={end.pending} onClick={() => end.submit()}>
          {t('account.session_end')}
        </Button>
      )}
      <FormError of={end} />
    </li>
  )
}
