import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { Card } from '../../parts/card.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './mails.module.css'

type Mail = RowOf<'/mails'>

/** The mails that a sandbox has not sent, for its operators. */
export function Page() {
  const { t } = useTexts()
  const { data: mails } = useQuery({ ...ask('/mails'), refetchInterval: 15_000 })
  return (
    <Stack gap="lg" maw={800} mx="auto">
      <PageHeader title={t('mails.name')} lead={t('mails.lead')} />
      {mails === undefined ? (
        <PageSkeleton />
      ) : mails.length === 0 ? (
        <EmptyState panel icon="mail" title={t('mails.empty')} lesson={t('mails.empty_lesson')} />
      ) : (
        mails.map((mail) => <Shown key={mail.mail_uuid} mail={mail} />)
      )}
    </Stack>
  )
}

function Shown({ mail: { subject, to, text, created_at } }: { mail: Mail }) {
  const { t } = useTexts()
  return (
    <Card
      title={<bdi>{subject}</bdi>}
      lead={t.rich('mails.to', { email: <bdi>{to}</bdi>, when: <Time at={created_at} style="ago" /> })}
    >
      {paragraphsOf(text).map(({ id, words }) => (
        <p key={id} dir="auto" className={classes.words}>
          {words.startsWith(`${location.origin}/`) ? <a href={words}>{words}</a> : words}
        </p>
      ))}
    </Card>
  )
}

/** Splits a text into paragraphs: in a mail in both languages each paragraph has its own direction. */
function paragraphsOf(text: string): { readonly id: string; readonly words: string }[] {
  const all = text.split(/\n{2,}/).map((words) => words.trim())
  return all.filter((words) => words !== '').map((words, index) => ({ id: `${index}`, words }))
}
