import { Button } from '@mantine/core'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, Link, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiFailure } from '../api/failure.ts'
import { forgetFailedFiles, MissingFile, reloadForNewBuild } from '../app/later.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { wholeFailureText } from '../parts/failure-text.ts'
import { useTexts } from '../texts/texts.tsx'

/** In place of a page that failed: says what to do. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const { t } = useTexts()
  const router = useRouter()
  // No owner of a merchant can open these to somebody.
  const isOperators = /^\/(operator|p)\//.test(useLocation().pathname)
  const { reset: forget } = useQueryErrorResetBoundary()
  useEffect(() => forget(), [forget])
  useEffect(() => {
    forgetFailedFiles()
    if (error instanceof MissingFile) reloadForNewBuild()
  }, [error])
  const again = () => {
    reset()
    void router.invalidate()
  }
  if (!(error instanceof ApiFailure))
    return (
      <EmptyState
        order={1}
        icon="alert"
        title={t('common.page_failed')}
        lesson={t('common.page_failed_lead')}
        action={<Button onClick={() => location.reload()}>{t('common.reload')}</Button>}
      />
    )
  if (error.status === 404) return <NotFoundPage />
  if (error.status === 403)
    return (
      <EmptyState
        order={1}
        icon="lock"
        title={t('common.not_permitted')}
        lesson={t(isOperators ? 'common.not_permitted_operator' : 'common.not_permitted_lead')}
        action={<Home />}
      />
    )
  return (
    <EmptyState
      order={1}
      icon="alert"
      title={t('common.failed')}
      lesson={wholeFailureText(error, t)}
      detail={error.request_id === null ? undefined : `${t('common.request_id')}: ${error.request_id}`}
      action={<Button onClick={again}>{t('common.retry')}</Button>}
    />
  )
}

export function NotFoundPage() {
  const { t } = useTexts()
  return (
    <EmptyState
      order={1}
      icon="search"
      title={t('common.not_found')}
      lesson={t('common.not_found_lead')}
      action={<Home />}
    />
  )
}

function Home() {
  const { t } = useTexts()
  return (
    <Button component={Link} to="/" variant="default">
      {t('common.home')}
    </Button>
  )
}
