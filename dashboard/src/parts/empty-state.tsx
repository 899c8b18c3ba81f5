import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'
import { Icon, type IconName } from './icon.tsx'

/** In place of what is not there: says why, what it is good for, and what to do next. */
export function EmptyState({
  icon,
  title,
  lesson,
  detail,
  action,
}: {
  icon: IconName
  title: string
  lesson: ReactNode
  detail?: ReactNode
  action?: ReactNode
}) {
  return (
    <section className={classes.state}>
      <span className={classes.icon}>
        <Icon name={icon} size={26} />
      </span>
      <Title order={2}>{title}</Title>
      <p className={classes.lesson}>{lesson}</p>
      {detail === undefined ? null : <p className={classes.detail}>{detail}</p>}
      {action === undefined ? null : <div className={classes.action}>{action}</div>}
    </section>
  )
}
