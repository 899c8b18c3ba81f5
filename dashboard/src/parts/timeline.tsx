import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { Time } from './time.tsx'
import classes from './timeline.module.css'

export interface Step {
  /** Unique in the timeline. */
  readonly id: string
  readonly at: string
  readonly title: ReactNode
  readonly detail?: ReactNode
  readonly icon?: IconName
  readonly tone?: 'good' | 'bad' | 'quiet'
}

/** What happened, the first at the top. */
export function Timeline({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={classes.timeline}>
      {steps.map(({ id, at, title, detail, icon = 'points', tone = 'quiet' }) => (
        <li key={id} className={classes.step} data-tone={tone}>
          <span className={classes.dot}>
            <Icon name={icon} size={16} />
          </span>
          <div className={classes.words}>
            <div className={classes.title}>{title}</div>
            {detail === undefined ? null : <div className={classes.detail}>{detail}</div>}
            <div className={classes.at}>
              <Time at={at} />
            </div>
          </div>
        </li>
      ))}
    </ol>
  )
}
