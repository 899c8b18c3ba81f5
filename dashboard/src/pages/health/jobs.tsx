import { Card } from '../../parts/card.tsx'
import { Badge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { type Job, jobsOf, type Process } from './concerns.ts'
import classes from './health.module.css'
import { jobTexts } from './job-texts.ts'

/** The background jobs, each as the process that ran it last says. */
export function Jobs({ processes, at }: { processes: readonly Process[]; at: string }) {
  const { t } = useTexts()
  const jobs = jobsOf(processes)
  return (
    <Card title={t('health.jobs')} lead={t('health.jobs_lead')}>
      {jobs.length === 0 ? <p className={classes.soft}>{t('health.no_worker')}</p> : null}
      <ul className={classes.rows}>
        {jobs.map((job) => (
          <JobRow key={job.name} job={job} at={at} />
        ))}
      </ul>
    </Card>
  )
}

function JobRow({ job, at }: { job: Job; at: string }) {
  const { t } = useTexts()
  const { name, started_at, ended_at, next_at, failures, failed_at, error } = job
  const text = jobTexts[name]
  return (
    <li>
      <span className={classes.grow}>{text === undefined ? name : t(text)}</span>
      <span className={classes.soft}>
        {ended_at === null ? (
          t(started_at === null ? 'health.job_not_yet' : 'health.job_first')
        ) : (
          <Time at={ended_at} style="ago" />
        )}
        {next_at === null || next_at <= at ? null : (
          <>
            {' · '}
            {t('health.job_next')} <Time at={next_at} style="ago" />
          </>
        )}
      </span>
      {failures > 0 ? (
        <Badge tone="bad">{t('health.job_failing')}</Badge>
      ) : (
        <Badge tone="good">{t('health.job_well')}</Badge>
      )}
      {failed_at === null || error === null ? null : (
        <span className={classes.whole}>
          {t('health.last_failure')} <Time at={failed_at} />: <bdi dir="ltr">{error}</bdi>
        </span>
      )}
    </li>
  )
}
