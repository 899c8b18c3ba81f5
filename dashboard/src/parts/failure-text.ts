import { ApiFailure } from '../api/failure.ts'
import type { Translate } from '../texts/translate.ts'

/** What a failure says to the reader. The service's own sentence says what to do; ours is for when there is none. */
export function failureText(error: unknown, t: Translate): string {
  if (!(error instanceof ApiFailure)) return t('common.unexpected')
  if (error.message !== '') return `${error.message}${waitText(error, t)}`
  if (error.status === 0) return t('common.unreachable')
  return error.status >= 502 ? t('common.busy') : t('common.unexpected')
}

/** The same, with the sentences of the fields: for places where no form shows them, such as a filter in the address. */
export function wholeFailureText(error: unknown, t: Translate): string {
  const fields = error instanceof ApiFailure ? Object.values(error.errors).flatMap((one) => one.slice(0, 1)) : []
  return [failureText(error, t), ...fields.slice(0, 3)].join(' ')
}

/** How long to wait, where the service has said so. */
function waitText({ appended }: ApiFailure, t: Translate): string {
  const wait_s = appended['retry_after_s']
  if (typeof wait_s !== 'number') return ''
  const minutes = Math.ceil(wait_s / 60)
  return ` ${minutes < 120 ? t('common.again_in_minutes', { count: minutes }) : t('common.again_in_hours', { count: Math.ceil(minutes / 60) })}`
}
