import { Kbd, UnstyledButton } from '@mantine/core'
import { createSpotlight } from '@mantine/spotlight'
import { useOpenMerchant } from '../app/merchant.ts'
import { Icon } from '../parts/icon.tsx'
import { useTexts } from '../texts/texts.tsx'
import classes from './search-palette.module.css'

/** Whether the palette is open. It is loaded after the page, so what opens it stands apart. */
const [made, palette] = createSpotlight()
export const store = made

const is_apple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Opens the palette, and tells its key. */
export function SearchButton({ compact = false }: { compact?: boolean }) {
  const { t } = useTexts()
  if (useOpenMerchant() === undefined) return null
  return (
    <UnstyledButton
      className={classes.button}
      data-compact={compact}
      aria-label={compact ? t('frame.search') : undefined}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={palette.open}
    >
      <Icon name="search" size={compact ? 22 : 18} />
      {compact ? null : (
        <>
          <span className={classes.label}>{t('frame.search')}</span>
          <Kbd size="xs" dir="ltr">
            {is_apple ? '⌘ K' : 'Ctrl K'}
          </Kbd>
        </>
      )}
    </UnstyledButton>
  )
}
