import { Button, Group } from '@mantine/core'
import { useEffect } from 'react'
import { useTexts } from '../texts/texts.tsx'
import classes from './save-bar.module.css'
import { focusPage } from './use-focus-back.ts'

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
  // The pressed button goes with the bar.
  useEffect(() => (changed ? focusPage : undefined), [changed])
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
