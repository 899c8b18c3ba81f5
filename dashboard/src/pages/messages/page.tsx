import { Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../api/query.ts'
import { programsOptions } from '../../api/session.ts'
import { Card } from '../../parts/card.tsx'
import { Figure } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { spanText } from '../health/units.ts'
import { BarCard } from './bars.tsx'
import { Budget } from './budget.tsx'
import classes from './messages.module.css'
import type { Messages } from './messages.ts'

const refresh_ms = 15_000

/** What was sent, what is left of the budget, and what failed. */
export function Page() {
  const { t, format, locale } = useTexts()
  const { data } = useQuery({ ...ask('/operator/messages'), staleTime: 0, refetchInterval: refresh_ms })
  const programs = useQuery(programsOptions).data?.rows ?? []
  const [program, setProgram] = useState('')
  if (data === undefined) return <PageSkeleton />
  const { queue, provider } = data
  const isShown = ({ program_id }: { program_id: number }) => program === '' || String(program_id) === program
  const last = queue.last_error
  return (
    <>
      <PageHeader
        title={t('messages.name')}
        lead={t(provider === 'sandbox' ? 'messages.lead_sandbox' : 'messages.lead')}
      />
      <Stack gap="lg">
        <Budget of={data} />
        <Card title={t('messages.queue')}>
          <p>
            {t('messages.due', { count: queue.due, number: format.number(queue.due) })}
            {queue.due === 0 ? null : ` ${t('messages.oldest', { span: spanText(locale, queue.oldest_s) })}`}
          </p>
          {last === null ? null : (
            <p className={classes.soft}>
              {t('messages.last_error')} <Time at={last.at} style="ago" />: <bdi dir="ltr">{last.error}</bdi>
            </p>
          )}
        </Card>
        {programs.length < 2 ? null : (
          <Select
            className={classes.program}
            label={t('messages.program')}
            data={[
              { value: '', label: t('messages.all') },
              ...programs.map(({ program_id, name }) => ({ value: String(program_id), label: name })),
              { value: '0', label: t('messages.kind_mail') },
            ]}
            value={program}
            allowDeselect={false}
            onChange={(value) => setProgram(value ?? '')}
          />
        )}
        <BarCard title={t('messages.by_hour')} span="hour" at={data.at} spans={data.hours.filter(isShown)} />
        <BarCard title={t('messages.by_day')} span="day" at={data.at} spans={data.days.filter(isShown)} />
        <Failures failures={data.failures.filter(isShown)} />
      </Stack>
    </>
  )
}

function Failures({ failures }: { failures: Messages['failures'] }) {
  const { t } = useTexts()
  return (
    <Card title={t('messages.failures')} lead={t('messages.failures_lead')}>
      {failures.length === 0 ? <p className={classes.soft}>{t('messages.failures_none')}</p> : null}
      <ul className={classes.failures}>
        {failures.map(({ program_id, kind, outcome, error, messages, last_on }) => (
          <li key={`${program_id} ${kind} ${outcome} ${error}`}>
            <Figure value={messages} />
            <span>{t(`messages.kind_${kind}`)}</span>
            <bdi dir="ltr" className={classes.error}>
              {error}
            </bdi>
            <span className={classes.soft}>
              {t('messages.last_on')} <Time at={last_on} style="date" />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
