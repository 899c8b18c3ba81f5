import { CopyButton } from '../../parts/copy-button.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './checklist.module.css'

/** A command to paste, left to right in both languages. */
export function Snippet({ text }: { text: string }) {
  const { t } = useTexts()
  return (
    <div className={classes.snippet} dir="ltr">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section tabIndex={0} aria-label={t('checklist.command')}>
        <pre>{text}</pre>
      </section>
      <CopyButton value={text} what={t('checklist.command')} />
    </div>
  )
}
