import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-header.module.css'
import { useTitle } from './use-title.ts'

/** The heading of a page, which is also its name in the browser's tab. */
export function PageHeader({
  title,
  lead,
  above,
  badge,
  actions,
}: {
  title: string
  lead?: ReactNode
  /** A `<PageLink>` to the page above. */
  above?: ReactNode
  badge?: ReactNode
  actions?: ReactNode
}) {
  useTitle(title)
  return (
    <header className={classes.header}>
      <div className={classes.words}>
        {above === undefined ? null : <div className={classes.above}>{above}</div>}
        <div className={classes.line}>
          <Title order={1}>{title}</Title>
          {badge}
        </div>
        {lead === undefined ? null : <p className={classes.lead}>{lead}</p>}
      </div>
      {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
    </header>
  )
}
