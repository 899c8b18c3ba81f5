import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './card.module.css'

/** A part of a page with its heading. */
export function Card({
  title,
  lead,
  actions,
  children,
}: {
  title?: ReactNode
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className={classes.card} {...(title === undefined ? {} : { 'aria-labelledby': id })}>
      {title === undefined && actions === undefined ? null : (
        <div className={classes.head}>
          <div>
            <Title order={2} id={id}>
              {title}
            </Title>
            {lead === undefined ? null : <p className={classes.lead}>{lead}</p>}
          </div>
          {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}

/** Names with their values, such as the facts of an order. */
export function Facts({ rows }: { rows: readonly { readonly label: string; readonly value: ReactNode }[] }) {
  return (
    <dl className={classes.facts}>
      {rows.map(({ label, value }) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
