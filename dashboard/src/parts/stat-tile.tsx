import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import classes from './stat-tile.module.css'

/** One number with its name, and how it changed. `undefined` is drawn as loading. */
export function StatTile({
  label,
  value,
  hint,
  change,
}: {
  label: string
  value: ReactNode
  /** What the number means, in a sentence. */
  hint?: ReactNode
  /** Share of 1 against the time before: 0.12 is 12 % more. Null where there was nothing before. */
  change?: number | null
}) {
  return (
    <div className={classes.tile}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>{value ?? <Skeleton height={34} width="60%" />}</dd>
      {change === undefined || change === null ? null : <Change share={change} />}
      {hint === undefined ? null : <dd className={classes.hint}>{hint}</dd>}
    </div>
  )
}

function Change({ share }: { share: number }) {
  const { t, format } = useTexts()
  const percent = format.percent(Math.abs(share))
  const key = share > 0 ? 'common.change_up' : share < 0 ? 'common.change_down' : 'common.change_none'
  return (
    <dd className={classes.hint} data-change={Math.sign(share)}>
      {t(key, { percent })}
    </dd>
  )
}

/** Tiles side by side. */
export function StatTiles({ children }: { children: ReactNode }) {
  return <dl className={classes.tiles}>{children}</dl>
}
