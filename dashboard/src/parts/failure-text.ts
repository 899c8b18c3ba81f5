import { ApiFailure } from '../api/failure.ts'
import type { Say } from '../texts/say.ts'

/** What a failure says to the reader. The service's own sentence says what to do; ours is for when there is none. */
export function sayFailure(error: unknown, t: Say): string {
  if (!(error instanceof ApiFailure)) return t('common.unexpected')
  if (error.message !== '') return error.message
  if (error.status === 0) return t('common.unreachable')
  return error.status >= 502 ? t('common.busy') : t('common.unexpected')
}
