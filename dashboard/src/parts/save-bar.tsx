import { Button, Group } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'
import classes from './save-bar.module.css'

/** Stays at the bottom of the window while a form holds changes that are not saved. */
export function SaveBar({
  changed,
  pending,
  onDiscard,
}: {
  changed: boolean
  pending: boolean
  onDiscard: () => void
}) {
  const { t } = useTexts()
  if (!changed) return null
  return (
    <div className={classes.bar}>
      <span className={classes.text} role="status">
        {t('settings.unsaved')}
      </span>
      <Group gap="sm" wrap="nowrap">
        <Button variant="default" onClick={onDiscard} disabled={pending}>
          {t('settings.discard')}
        </Button>
        <Button type="submit" loading={pending}>
          {t('common.save')}
        </Button>
      </Group>
    </div>
  )
}
