import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { send } from '../api/client.ts'
import { ApiFailure } from '../api/failure.ts'
import { queryClient } from '../api/query.ts'
import { useChooseLocale } from '../app/choose-locale.ts'
import { useSession } from '../app/merchant.ts'
import { mails } from '../app/page-facts.ts'
import { Icon } from '../parts/icon.tsx'
import { notifyFailure } from '../parts/notify.tsx'
import { useTexts } from '../texts/texts.tsx'
import classes from './user-menu.module.css'

const schemes = [
  { scheme: 'auto', icon: 'system', text: 'frame.theme_auto' },
  { scheme: 'light', icon: 'sun', text: 'frame.theme_light' },
  { scheme: 'dark', icon: 'moon', text: 'frame.theme_dark' },
] as const

/** Language, theme, account and the way out. */
export function UserMenu({ compact = false }: { compact?: boolean }) {
  const { t } = useTexts()
  const { name, email } = useSession()
  return (
    <Menu width={260} position={compact ? 'bottom-end' : 'top-start'} shadow="md" closeOnItemClick={false}>
      <Menu.Target>
        <UnstyledButton className={classes.button} data-compact={compact}>
          <span className="visually-hidden">{`${t('frame.user_menu')}: `}</span>
          <span className={classes.face} aria-hidden="true">
            {[...name.trim()][0] ?? '·'}
          </span>
          {compact ? null : (
            <>
              <span className={classes.words}>
                <span className={classes.name} dir="auto">
                  {name}
                </span>
                <span className={classes.mail} dir="ltr">
                  {email}
                </span>
              </span>
              <Icon name="down" size={18} />
            </>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <LanguageItems />
        <Menu.Divider />
        <ThemeItems />
        <Menu.Divider />
        <LastItems />
      </Menu.Dropdown>
    </Menu>
  )
}

function LanguageItems() {
  const { t, locale } = useTexts()
  const choose = useChooseLocale()
  return (
    <>
      <Menu.Label>{t('frame.language')}</Menu.Label>
      {(['ar', 'en'] as const).map((one) => (
        <Menu.Item
          key={one}
          lang={one}
          leftSection={<Icon name="language" size={18} />}
          rightSection={one === locale ? <Icon name="check" size={18} /> : null}
          onClick={() => choose(one)}
        >
          {one === 'ar' ? 'العربية' : 'English'}
        </Menu.Item>
      ))}
    </>
  )
}

function ThemeItems() {
  const { t } = useTexts()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Label>{t('frame.theme')}</Menu.Label>
      {schemes.map(({ scheme, icon, text }) => (
        <Menu.Item
          key={scheme}
          leftSection={<Icon name={icon} size={18} />}
          rightSection={scheme === colorScheme ? <Icon name="check" size={18} /> : null}
          onClick={() => setColorScheme(scheme)}
        >
          {t(text)}
        </Menu.Item>
      ))}
    </>
  )
}

function LastItems() {
  const { t } = useTexts()
  const { is_operator } = useSession()
  const navigate = useNavigate()
  const signOut = async () => {
    try {
      await send('post', '/sign-out')
    } catch (error) {
      // A session that has ended already leaves nothing to do but to go.
      if (!(error instanceof ApiFailure && error.isSignedOut)) return notifyFailure(error, t)
    }
    await navigate({ to: '/sign-in', ignoreBlocker: true })
    queryClient.clear()
  }
  return (
    <>
      <Menu.Item component={Link} to="/account" leftSection={<Icon name="person" size={18} />} closeMenuOnClick>
        {t('frame.account')}
      </Menu.Item>
      {is_operator && mails === 'shown' ? (
        <Menu.Item component={Link} to="/mails" leftSection={<Icon name="mail" size={18} />} closeMenuOnClick>
          {t('frame.mails')}
        </Menu.Item>
      ) : null}
      <Menu.Item leftSection={<Icon name="out" size={18} />} closeMenuOnClick onClick={() => void signOut()}>
        {t('frame.sign_out')}
      </Menu.Item>
    </>
  )
}
