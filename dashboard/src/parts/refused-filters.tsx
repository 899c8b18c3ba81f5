import { Button } from '@mantine/core'
import { ApiFailure } from '../api/failure.ts'
import { useTexts } from '../texts/texts.tsx'
import { EmptyState } from './empty-state.tsx'
import { wholeFailureText } from './failure-text.ts'

/** Whether a service has refused what a list is searched for, such as half an id. */
export const isRefused = (error: unknown): boolean => error instanceof ApiFailure && error.status === 422

/** For the question of a list with filters: its table says so itself, and the field, in which one goes on typing, stays. */
export const staysIfRefused = {
  throwOnError: (error: Error, { state }: { readonly state: { readonly data: unknown } }) =>
    state.data === undefined && !isRefused(error),
}

/** In place of a list whose filters were refused: says why. */
export function RefusedFilters({ error, clear }: { error: unknown; clear: () => void }) {
  const { t } = useTexts()
  return (
    <EmptyState
      icon="search"
      title={t('common.nothing_found')}
      lesson={wholeFailureText(error, t)}
      action={
        <Button variant="default" onClick={clear}>
          {t('common.clear_filters')}
        </Button>
      }
    />
  )
}
