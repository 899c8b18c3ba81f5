import { Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTexts } from '../texts/texts.tsx'
import classes from './page-header.module.css'

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
  const { t } = useTexts()
  const product = t('frame.product')
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
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
