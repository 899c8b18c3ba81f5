import type { Database } from '../../db/pool.ts'
import { purge } from '../../db/programs.ts'
import { sessionTimes } from '../../domain/sign-in.ts'
import { before, day_ms } from '../../domain/spans.ts'
import { deleteEndedUses } from './factor-queries.ts'
import { deleteEndedLinks } from './link-queries.ts'
import { deleteEndedSessions } from './session-queries.ts'

/** Keeps links for a while after they have expired, so that the page can say that a link is old. */
const links_kept_ms = 7 * day_ms

/** Purges sessions, links and used challenges that have ended at `now` by the machine's clock, in batches; gives their number. */
export async function purgeSignIns(db: Database, now: Date, batch = 1_000): Promise<number> {
  const idle_since = before(now, sessionTimes.idle_ms)
  const links_before = before(now, links_kept_ms)
  const sessions = await purge(db, (count) => deleteEndedSessions(now, idle_since, count), batch)
  const links = await purge(db, (count) => deleteEndedLinks(links_before, count), batch)
  return sessions + links + (await purge(db, (count) => deleteEndedUses(now, count), batch))
}
