import { useTexts } from '../../texts/texts.tsx'
import { Door } from '../sign-in/door.tsx'

export function Page() {
  const { t } = useTexts()
  return <Door title={t('sign-in.link_title')} />
}
