import { Button } from '@mantine/core'
import { notifyManager, type Query } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { ApiFailure } from '../api/failure.ts'
import { queryClient } from '../api/query.ts'
import { failureText } from '../parts/failure-text.ts'
import { Time } from '../parts/time.tsx'
import { useTexts } from '../texts/texts.tsx'
import classes from './not-up-to-date.module.css'

/** Whether a page shows an answer that could not be read again. Questions that a page asks for itself say so themselves. */
function isOld({ state: { data, error }, meta, observers }: Query): boolean {
  if (data === undefined || error === null || meta !== undefined) return false
  if (error instanceof ApiFailure && error.isSignedOut) return false
  return observers.some(({ options: { enabled, throwOnError } }) => enabled !== false && throwOnError !== false)
}

const cache = queryClient.getQueryCache()
const subscribe = (changed: () => void) => cache.subscribe(notifyManager.batchCalls(changed))
const oldest = () =>
  cache
    .getAll()
    .filter(isOld)
    .map(({ state }) => state)
    .sort((a, b) => a.dataUpdatedAt - b.dataUpdatedAt)[0]

/** Says that the page shows what it read before, until it can be read again. */
export function NotUpToDate() {
  const { t } = useTexts()
  const old = useSyncExternalStore(subscribe, oldest)
  // A screen reader tells what changes in a place that was there before.
  return (
    <div className={classes.place} data-old={old !== undefined}>
      <span role="status">
        {old === undefined
          ? null
          : t.rich('common.old', {
              when: <Time at={new Date(old.dataUpdatedAt).toISOString()} />,
              why: failureText(old.error, t),
            })}
      </span>
      {old === undefined ? null : (
        <Button variant="default" size="sm" onClick={() => void queryClient.refetchQueries({ predicate: isOld })}>
          {t(old.fetchStatus === 'fetching' ? 'common.loading' : 'common.retry')}
        </Button>
      )}
    </div>
  )
}
