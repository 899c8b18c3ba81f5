import { Drawer } from '@mantine/core'
import { useFocusBack } from '../parts/use-focus-back.ts'
import { useTexts } from '../texts/texts.tsx'
import { AreaSwitch } from './area-switch.tsx'
import { Navigation } from './navigation.tsx'
import classes from './phone-bars.module.css'

/** All pages, and the merchants, on a phone. */
export function MoreDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTexts()
  useFocusBack(opened)
  return (
    <Drawer
      opened={opened}
      returnFocus={false}
      onClose={onClose}
      title={t('frame.menu')}
      position="left"
      size="19rem"
      closeButtonProps={{ 'aria-label': t('frame.close') }}
    >
      <div className={classes.drawer}>
        <AreaSwitch />
        <Navigation onGo={onClose} />
      </div>
    </Drawer>
  )
}
