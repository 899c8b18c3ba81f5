import { Button, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import classes from './empty-state.module.css'
import { Icon, type IconName } from './icon.tsx'
import { useTitle } from './use-title.ts'

/** In place of what is not there: says why, what it is good for, and what to do next. */
export function EmptyState({
  icon,
  title,
  lesson,
  detail,
  action,
  order = 2,
  panel = false,
}: {
  icon: IconName
  title: string
  lesson: ReactNode
  detail?: ReactNode
  action?: ReactNode
  /** 1 where it stands for a whole page, which it names. */
  order?: 1 | 2
  /** Whether it stands on the page itself; a table and a card have a panel of their own. */
  panel?: boolean
}) {
  useTitle(order === 1 ? title : undefined)
  return (
    <section className={classes.state} data-panel={panel}>
      <span className={classes.icon}>
        <Icon name={icon} size={26} />
      </span>
      <Title order={order} size="h2">
        {title}
      </Title>
      <p className={classes.lesson}>{lesson}</p>
      {detail === undefined ? null : <p className={classes.detail}>{detail}</p>}
      {action === undefined ? null : <div className={classes.action}>{action}</div>}
    </section>
  )
}

/** In place of a list whose filters match nothing. */
export function NothingFound({ clear }: { clear: () => void }) {
  const { t } = useTexts()
  return (
    <EmptyState
      icon="search"
      title={t('common.nothing_found')}
      lesson={t('common.nothing_found_lesson')}
      action={
        <Button variant="default" onClick={clear}>
          {t('common.clear_filters')}
        </Button>
      }
    />
  )
}
