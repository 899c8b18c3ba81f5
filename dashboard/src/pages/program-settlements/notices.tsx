import { Button } from '@mantine/core'
import { send } from '../../api/client.ts'
import { merchantNameIn } from '../../app/names.ts'
import { FormError } from '../../parts/form.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { Time } from '../../parts/time.tsx'
import { type Submit, useSubmit } from '../../parts/use-submit.ts'
import { periodText } from '../../parts/whole-days.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Outcome } from '../deliveries/outcome.tsx'
import classes from './notices.module.css'
import { type ProgramWebhook, webhook_path } from './webhook.ts'

type Notice = ProgramWebhook['notices'][number]

/** How the last notices went. What has failed can be sent again. */
export function Notices({ programId, notices }: { programId: number; notices: readonly Notice[] }) {
  const { t } = useTexts()
  const again = useSubmit({
    send: (settlementUuid: string, headers) =>
      send('post', '/programs/{programId}/settlements/{settlementUuid}/tell', {
        ...{ params: { path: { programId, settlementUuid } }, headers },
      }),
    stale: [webhook_path],
  })
  if (notices.length === 0) return null
  return (
    <>
      <h3 className={classes.title}>{t('settling.notices')}</h3>
      <FormError of={again} />
      <ul className={classes.list}>
        {notices.map((notice) => (
          <li key={notice.notice_uuid}>
            <About notice={notice} />
            <Outcome state={notice.state} />
            <State notice={notice} />
            {notice.state === 'failed' && notice.settlement_id !== null ? (
              <Again settlementId={notice.settlement_id} of={again} />
            ) : null}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Whose settlement a notice is about, and of which time. */
function About({ notice: { settlement_id, settlement } }: { notice: Notice }) {
  const texts = useTexts()
  if (settlement_id === null || settlement === null) return <span>{texts.t('settling.notice_test')}</span>
  const { from, until } = settlement
  return (
    <PageLink to={`settlements/${settlement_id}`}>
      <bdi>{merchantNameIn(settlement, texts.locale)}</bdi> · {periodText(texts, from, until)}
    </PageLink>
  )
}

function Again({ settlementId, of }: { settlementId: string; of: Submit<string> }) {
  const { t } = useTexts()
  return (
    <Button size="compact-sm" variant="default" loading={of.pending} onClick={() => of.submit(settlementId)}>
      {t('settling.tell_again')}
    </Button>
  )
}

function State({ notice: { error, ended_at, next_at } }: { notice: Notice }) {
  const at = ended_at ?? next_at
  return (
    <span className={classes.state}>
      {at === null ? null : <Time at={at} />} {error === null ? null : <bdi dir="ltr">{error}</bdi>}
    </span>
  )
}
