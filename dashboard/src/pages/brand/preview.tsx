import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { api_prefix } from '../../api/client.ts'
import { useMerchant } from '../../app/merchant.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './brand.module.css'

/** The real checkout page, as it would look with what is typed. Nothing in the frame can be pressed. */
export function Preview({
  name,
  name_ar,
  colour,
  logos,
}: {
  name: string
  name_ar: string
  colour: string
  /** The frame loads again when the logos change. */
  logos: string
}) {
  const { t, locale } = useTexts()
  const { merchantId } = useMerchant()
  const [lang, setLang] = useState<string>(locale)
  const isColour = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(colour)
  const query = new URLSearchParams({ lang, name, name_ar, colour: isColour ? colour : 'none' })
  return (
    <section className={classes.preview} aria-label={t('settings.preview')}>
      <div className={classes.previewHead}>
        <h2>{t('settings.preview')}</h2>
        <SegmentedControl
          aria-label={t('settings.preview_language')}
          size="xs"
          value={lang}
          onChange={setLang}
          data={[
            { value: 'ar', label: 'العربية' },
            { value: 'en', label: 'English' },
          ]}
        />
      </div>
      <iframe
        key={logos}
        className={classes.frame}
        title={t('settings.preview')}
        src={`${api_prefix}/merchants/${merchantId}/brand/preview?${query}`}
        sandbox="allow-same-origin"
        tabIndex={-1}
      />
    </section>
  )
}
