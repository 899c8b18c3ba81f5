import { Button, Stack } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type DataOf, send } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import { refreshSession } from '../../api/session.ts'
import { nameIn } from '../../app/names.ts'
import { failureText } from '../../parts/failure-text.ts'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Door } from '../sign-in/door.tsx'
import { type Factors, SecondFactor } from '../sign-in/second-factor.tsx'
import { SignInSteps } from '../sign-in/steps.tsx'
import { AcceptForm } from './accept-form.tsx'

type LinkFacts = DataOf<'/links/open', 'post'>

/** What a link is for. Opening does not use it up. */
function linkOptions(token: string) {
  return queryOptions({
    queryKey: ['/links/open', token] as const,
    queryFn: () => send('post', '/links/open', { body: { token } }),
    throwOnError: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A link of a mail: an invitation, a new password, or the first sign-in. Its token stands behind `#`, where no log sees it. */
export function Page() {
  const texts = useTexts()
  const { t } = texts
  const { hash } = useLocation()
  // When the reader leaves, the address loses its token before this page is gone.
  const [opened] = useState(hash)
  const token = hash === '' ? opened : hash
  const link = useQuery(linkOptions(token))
  const navigate = useNavigate()
  const [factors, setFactors] = useState<Factors | null>(null)
  const enter = async () => {
    await refreshSession()
    await navigate({ to: '/', replace: true })
  }
  if (factors !== null)
    return (
      <Door title={t('sign-in.title')}>
        <SecondFactor factors={factors} onDone={enter} onBack={() => void navigate({ to: '/sign-in' })} />
      </Door>
    )
  if (link.error !== null) return <Broken error={link.error} />
  if (link.data === undefined)
    return (
      <Door title={t('sign-in.link_title')}>
        <PageSkeleton />
      </Door>
    )
  const facts = link.data
  if (facts.needs === 'sign_in')
    return (
      <Door title={titleOf(facts, texts)} lead={t.rich('sign-in.link_sign_in', { email: <bdi>{facts.email}</bdi> })}>
        <SignInSteps
          email={facts.email}
          onDone={async () => void (await Promise.all([refreshSession(), link.refetch()]))}
        />
      </Door>
    )
  return (
    <Door title={titleOf(facts, texts)} lead={<Lead facts={facts} />}>
      <AcceptForm
        token={token}
        facts={facts}
        onDone={({ state, factors: rest }) => (state === 'signed_in' ? enter() : setFactors(rest))}
      />
    </Door>
  )
}

function titleOf(facts: LinkFacts, { t, locale }: Pick<ReturnType<typeof useTexts>, 't' | 'locale'>): string {
  const { purpose, needs } = facts
  if (purpose === 'invitation') return t('sign-in.link_accept_title', { merchant: shopOf(facts, locale) })
  if (purpose !== 'first_sign_in') return t('sign-in.link_reset_title')
  // Outside of a sandbox the first link asks for a name and a password.
  return t(needs === 'nothing' ? 'sign-in.link_first_title' : 'sign-in.link_account_title')
}

function shopOf({ merchant_name: name, merchant_name_ar: name_ar }: LinkFacts, locale: string): string {
  return nameIn({ name: name ?? '', name_ar }, locale)
}

function Lead({ facts }: { facts: LinkFacts }) {
  const { t, locale } = useTexts()
  const { purpose, needs, invited_by, role } = facts
  if (purpose === 'invitation' && role !== null)
    return t.rich('sign-in.link_invited', {
      by: <bdi>{invited_by}</bdi>,
      merchant: <bdi>{shopOf(facts, locale)}</bdi>,
      role: t(`frame.role_${role}`),
    })
  if (purpose === 'first_sign_in')
    return needs === 'nothing' ? t('sign-in.link_first_lead') : t('sign-in.link_account_lead')
  return t(purpose === 'recovery' ? 'sign-in.link_recovery_lead' : 'sign-in.link_reset_lead')
}

function Broken({ error }: { error: Error }) {
  const { t } = useTexts()
  const isOver = error instanceof ApiFailure && error.status >= 400 && error.status < 500
  return (
    <Door
      title={isOver ? t('sign-in.link_over_title') : t('common.failed')}
      lead={isOver ? t('sign-in.link_over_lead') : failureText(error, t)}
    >
      <Stack>
        <Button component={Link} to="/forgot" variant="default">
          {t('sign-in.forgot_title')}
        </Button>
        <Button component={Link} to="/sign-in" variant="subtle">
          {t('sign-in.back')}
        </Button>
      </Stack>
    </Door>
  )
}
