import type { Clock } from './clock.ts'
import { isDatabaseUnavailable } from './db/failure.ts'
import type { Database } from './db/pool.ts'
import { createOpenCheckout, createReadCheckout } from './features/checkout/story.ts'
import { createEarn } from './features/earning/story.ts'
import { createBeginOnce } from './features/idempotency/story.ts'
import { createSetIntegration } from './features/integration/story.ts'
import { createAuthenticate } from './features/keys/authenticate.ts'
import { createReadOrder } from './features/orders/story.ts'
import { createWebhooks } from './features/webhooks/story.ts'
import type { FrameDeps } from './http/frame.ts'
import type { Services } from './http/routes.ts'
import type { Resolve } from './net/resolve.ts'
import { createSecretBox } from './secrets.ts'

/** What the stories need besides a database. */
export interface ServiceParts {
  readonly clock: Clock
  readonly lock_window_s: number
  readonly checkout_ttl_s: number
  /** Without a trailing slash. */
  readonly public_url: string
  readonly secret_key: string
  readonly webhook: { readonly allow_loopback: boolean; readonly resolve: Resolve }
  /** Observers of batch sizes, by the kind of batch. */
  readonly batches?: (kind: string) => (size: number) => void
  /** How long the requests of a process that died keep their Idempotency-Keys. */
  readonly lease_ms?: number
  /** Told of what went wrong without a request failing for it. */
  readonly onError?: (error: unknown) => void
}

/** Makes what the server needs of everything behind it: once for each process, and for each server of a test. */
export function createDeps(db: Database, parts: ServiceParts): FrameDeps<Services> {
  const { clock, secret_key, batches, lease_ms, onError } = parts
  const secrets = createSecretBox(secret_key)
  const once = { db, clock, secrets }
  return {
    services: createServices(db, parts, secrets),
    authenticate: createAuthenticate(db, batches?.('keys')),
    beginOnce: createBeginOnce({
      ...once,
      ...(lease_ms === undefined ? {} : { lease_ms }),
      ...(onError === undefined ? {} : { onError }),
    }),
    isDatabaseUnavailable,
    ready: () => db.isWritable(),
  }
}

function createServices(
  db: Database,
  { clock, batches, lock_window_s, checkout_ttl_s, public_url, webhook }: ServiceParts,
  secrets: ReturnType<typeof createSecretBox>,
): Services {
  const observe = batches === undefined ? {} : { observe: batches('earning') }
  return {
    clock,
    public_url,
    earn: createEarn({ db, clock, lock_window_s, ...observe }),
    readOrder: createReadOrder(db),
    openCheckout: createOpenCheckout({ db, clock, checkout_ttl_s, public_url }),
    readCheckout: createReadCheckout({ db, clock }),
    setIntegration: createSetIntegration(db),
    webhooks: createWebhooks({ db, clock, secrets, ...webhook }),
  }
}
