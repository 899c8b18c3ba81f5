import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import classes from './audit.module.css'

interface Field {
  readonly field: string
  readonly before?: unknown
  readonly after?: unknown
}

/** How many fields are shown before the reader asks for all. */
const shown_first = 4

/** The changed fields, each with its value before and after. */
export function Difference({ of }: { of: readonly Field[] }) {
  const { t } = useTexts()
  const [all, setAll] = useState(false)
  if (of.length === 0) return <span className={classes.source}>{t('audit.no_difference')}</span>
  return (
    <div className={classes.difference}>
      <ul className={classes.fields}>
        {(all ? of : of.slice(0, shown_first)).map((one) => (
          <FieldOf key={one.field} of={one} />
        ))}
      </ul>
      {of.length <= shown_first ? null : (
        <UnstyledButton className={classes.all} onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? t('common.show_less') : `${t('common.show_all')} (${of.length})`}
        </UnstyledButton>
      )}
    </div>
  )
}

function FieldOf({ of }: { of: Field }) {
  const { t } = useTexts()
  const { field } = of
  return (
    <li>
      <code dir="ltr">{field}</code>
      <span className={classes.values}>
        {'before' in of ? <del dir="auto">{textOf(of.before)}</del> : null}
        {'after' in of ? (
          <ins dir="auto">{textOf(of.after)}</ins>
        ) : (
          <span className={classes.source}>{t('audit.now_missing')}</span>
        )}
      </span>
    </li>
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '—'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
