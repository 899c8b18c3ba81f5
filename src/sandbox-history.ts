import type { Database } from './db/pool.ts'
import { isHistoryWritten, PastClock, writeHistory } from './features/demo/history.ts'
import { createReadDemoStores } from './features/demo/stores.ts'
import { whileAlone } from './features/deployment/service.ts'
import { createDeps, type ServiceParts } from './services.ts'

/** Gives a new sandbox the history of its shops, or completes what a killed process began. Does nothing later. */
export async function completeHistory(db: Database, parts: ServiceParts, now: Date): Promise<void> {
  const stores = await createReadDemoStores(db)()
  if (await isHistoryWritten(db, stores)) return
  const clock = new PastClock(now)
  const { services } = createDeps(db, { ...parts, clock })
  await whileAlone(db, () => writeHistory({ services, db, clock }, stores, now))
}
