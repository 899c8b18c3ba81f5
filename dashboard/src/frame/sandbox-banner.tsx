import { Icon } from '../parts/icon.tsx'
import { useTexts } from '../texts/texts.tsx'
import classes from './sandbox-banner.module.css'

/** Stays in sight on every page, so that nobody takes played points for real ones. */
export function SandboxBanner() {
  const { t } = useTexts()
  return (
    <section className={classes.banner} aria-label={t('frame.sandbox_label')}>
      <Icon name="alert" size={16} />
      <span>{t('frame.sandbox')}</span>
    </section>
  )
}
