import { Card } from '../../parts/card.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Badge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Process } from './concerns.ts'
import classes from './health.module.css'

const tones = { running: 'good', silent: 'bad', stopped: 'quiet' } as const

/** The processes of the last day, each with what `nuqta doctor` would say of it. */
export function Processes({ processes }: { processes: readonly Process[] }) {
  const { t, format } = useTexts()
  return (
    <Card title={t('health.processes')}>
      {processes.length === 0 ? <p className={classes.soft}>{t('health.processes_none')}</p> : null}
      <ul className={classes.rows}>
        {processes.map((one) => (
          <li key={one.process_uuid}>
            <span className={classes.grow}>
              <bdi dir="ltr">
                {one.host} · {one.pid}
              </bdi>
            </span>
            <Badge tone={tones[one.life]}>{t(`health.life_${one.life}`)}</Badge>
            <span className={classes.whole}>
              {t(`health.role_${one.role}`)} · <bdi dir="ltr">Nuqta {one.version}</bdi> ·{' '}
              <bdi dir="ltr">Node.js {one.node}</bdi>
              <br />
              {t('health.since')} <Time at={one.started_at} /> · {t('health.seen')}{' '}
              <Time at={one.seen_at} style="ago" />
              {one.certificate_ends_on === null ? null : (
                <>
                  <br />
                  {t('health.certificate')} {format.date(one.certificate_ends_on)}
                </>
              )}
            </span>
            {one.life === 'running' && one.checks !== null ? <Checks of={one.checks} /> : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Checks({ of: { at, findings } }: { of: NonNullable<Process['checks']> }) {
  const { t, format } = useTexts()
  const bad = findings.filter(({ ok }) => !ok).length
  return (
    <details className={classes.checks}>
      <summary>
        {bad === 0
          ? t('health.checks_well', { count: findings.length, number: format.number(findings.length) })
          : t('health.checks_bad', { count: bad, number: format.number(bad) })}{' '}
        · <Time at={at} style="ago" />
      </summary>
      <ul className={classes.concerns}>
        {findings.map(({ check, ok, detail, advice }) => (
          <li key={check} data-ok={ok}>
            <Icon name={ok ? 'check' : 'alert'} size={16} />
            <bdi dir="ltr">
              {check}: {detail}
              {advice === undefined ? null : <span className={classes.detail}>{advice}</span>}
            </bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}
