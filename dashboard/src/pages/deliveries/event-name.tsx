import { useTexts } from '../../texts/texts.tsx'

/** The name of an event as receivers read it. */
export function EventName({ name }: { name: string | null }) {
  const { t } = useTexts()
  return name === null ? <span className="missing">{t('deliveries.not_kept')}</span> : <code dir="ltr">{name}</code>
}
