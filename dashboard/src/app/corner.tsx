import { useNotifications } from '@mantine/notifications'
import { type ComponentType, useCallback, useEffect, useState } from 'react'

const load = () => import('./notices.tsx')

/**
 * Where notices appear. They are loaded after the page, which is shown without them; one that is given before waits, and asks
 * for them again if they did not come.
 */
export function Corner() {
  const [loaded, setLoaded] = useState<{ readonly Notices: ComponentType }>()
  const come = useCallback(() => void load().then(setLoaded, () => undefined), [])
  const { notifications } = useNotifications()
  const waiting = loaded === undefined ? notifications.length : 0
  useEffect(come, [come])
  useEffect(() => {
    if (waiting > 0) come()
  }, [waiting, come])
  return loaded === undefined ? null : <loaded.Notices />
}
