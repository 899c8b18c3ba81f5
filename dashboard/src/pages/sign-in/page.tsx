import { Text } from '@mantine/core'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { refreshSession } from '../../api/session.ts'
import { is_sandbox } from '../../app/page-facts.ts'
import type { Search } from '../../app/search.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './door.module.css'
import { Door } from './door.tsx'
import { SignInSteps } from './steps.tsx'

export function Page() {
  const { t } = useTexts()
  const router = useRouter()
  const navigate = useNavigate()
  const { back }: Search = useSearch({ strict: false })
  const enter = async () => {
    await refreshSession()
    if (isOwnPath(back)) router.history.push(router.history.createHref(`/dashboard${back}`))
    else await navigate({ to: '/' })
  }
  return (
    <Door title={t('sign-in.title')} lead={t('sign-in.lead')}>
      <SignInSteps onDone={enter} />
      {is_sandbox ? (
        <Text size="sm" c="dimmed" mt="lg">
          {t('sign-in.sandbox_hint')}
          <code dir="ltr" className={classes.command}>
            bin/nuqta operator create --email owner@demo.example
          </code>
        </Text>
      ) : null}
    </Door>
  )
}

/** Only a path of ours: a link could carry the address of another site. */
function isOwnPath(back: string | undefined): back is string {
  return back !== undefined && /^\/(?![/\\])/.test(back)
}
