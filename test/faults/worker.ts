import { Database } from '../../src/db/pool.ts'
import { response_limit_bytes } from '../../src/domain/delivery.ts'
import { Dispatcher } from '../../src/features/webhooks/dispatcher.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { createPoster, type Poster } from '../../src/net/post.ts'

// A delivery worker in a separate process, which a test kills. It stops for ever just before the request of a URL that ends in
// /before, and just after the answer of one that ends in /after, and says so.

const { url, secret_key, timeout_s, retry_delays_s, lease_margin_ms } = JSON.parse(process.argv[2] ?? '{}')

const say = (what: object): void => void process.stdout.write(`${JSON.stringify(what)}\n`)
const forEver = (): Promise<never> => new Promise(() => setInterval(() => undefined, 60_000))

const real = createPoster({
  allow_loopback: true,
  resolve: async () => ['127.0.0.1'],
  timeout_ms: timeout_s * 1000,
  ca: [],
  response_limit_bytes,
})
const poster: Poster = {
  async post(request) {
    if (request.url.endsWith('/before')) {
      say({ stopped: 'before' })
      return forEver()
    }
    const result = await real.post(request)
    if (request.url.endsWith('/after')) {
      say({ stopped: 'after' })
      return forEver()
    }
    return result
  },
  close: () => real.close(),
}

new Dispatcher({
  db: new Database(url, { plans: 'by_key', size: 4, application_name: 'nuqta-test-worker' }),
  secrets: createSecretBox(secret_key),
  poster,
  settings: { retry_delays_s, timeout_s, poll_ms: 50 },
  lease_margin_ms,
  warn: (error, text) => say({ warned: `${text}: ${String(error)}` }),
})
say({ ready: true })
