import { day_ms } from './spans.ts'

/** Whether a last backup is so old that a day of orders could be lost. */
export function isOldBackup(backed_up_at: Date, now: Date): boolean {
  return now.getTime() - backed_up_at.getTime() > 2 * day_ms
}
