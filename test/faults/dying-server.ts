import { createDeps } from '../../src/app/services.ts'
import { Database } from '../../src/db/pool.ts'
import type { BeforeCommit } from '../../src/db/transaction.ts'
import { createServer } from '../../src/http/server.ts'
import { OffsetClock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/observability/log.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import { sandboxSms } from '../../src/providers/sms/sandbox.ts'
import { routes } from '../../src/routes.ts'
import { onlyMerchants } from '../support/payments.ts'

export interface DyingServer {
  /** Of its requests, at which it dies. */
  readonly moment: string
  /** It dies when this many requests have come to the moment. */
  readonly requests: number
  /** Of the database. */
  readonly url: string
  readonly secret_key: string
  readonly tls: { readonly cert: string; readonly key: string }
}

// A server that kills itself in the middle of its requests. It says its port.
const { moment, requests, url, secret_key, tls }: DyingServer = JSON.parse(process.argv[2] ?? '')

let waiting = 0

/** Holds a request at the moment. The last one to come there ends the process. */
function die(): Promise<never> {
  waiting += 1
  if (waiting === requests) process.kill(process.pid, 'SIGKILL')
  return new Promise(() => undefined)
}

/** Runs the work of the request in its transaction, and dies there or once it is committed. */
function dying<Result>(beforeCommit: BeforeCommit<Result> | undefined): BeforeCommit<Result> {
  return async (tx, result) => {
    await beforeCommit?.(tx, result)
    if (moment === 'before the commit') await die()
  }
}

const made = createDeps(new Database(url, { application_name: 'nuqta-dying', size: requests + 1 }), {
  environment: 'sandbox',
  clock: new OffsetClock(),
  lock_window_s: 10,
  checkout_ttl_s: 1_800,
  public_url: 'https://localhost:8443',
  secret_key,
  lease_ms: 500,
  webhook: { allow_loopback: true, resolve: async () => [] },
  payments: onlyMerchants,
  translator: undefined,
  sms: sandboxSms,
  mail: undefined,
})
const { services, beginOnce } = made
if (beginOnce === undefined) throw new Error('no keys')
const deps: typeof made = {
  ...made,
  services: {
    ...services,
    refundOrder: (merchant, uuid, asked, keep) => services.refundOrder(merchant, uuid, asked, dying(keep)).then(die),
    moveOrder: (merchant, uuid, move, keep) => services.moveOrder(merchant, uuid, move, dying(keep)).then(die),
    openCheckout: (asked, keep) => services.openCheckout(asked, dying(keep)).then(die),
    webhooks: {
      ...services.webhooks,
      create: (owner, fields, how) =>
        services.webhooks.create(owner, fields, { ...how, keep: dying(how?.keep) }).then(die),
    },
    earn: (earning) => (moment === 'before the commit' ? die() : services.earn(earning)),
  },
  // The answer of an earning is stored after its commit.
  beginOnce: async (request) => {
    const begun = await beginOnce(request)
    return begun.kind === 'started' ? { ...begun, execution: { ...begun.execution, settle: die } } : begun
  },
}
const server = await createServer({
  tls,
  trust_proxy: [],
  log: createLog({ level: 'silent' }),
  metrics: createMetrics(),
  rows: routes,
  deps,
})
const port = await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${port}\n`)
