import { createPaymentProviders } from '../../src/app/ports.ts'
import type { PaymentSettings } from '../../src/config/providers.ts'
import { Database } from '../../src/db/pool.ts'
import { createRunDueTasks } from '../../src/features/payments/tasks.ts'
import { OffsetClock } from '../../src/lib/clock.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { secret_key } from '../support/secret-key.ts'

// A worker of payment tasks in a separate process, which a test kills at any moment.

const { url, settings } = JSON.parse(process.argv[2] ?? '{}') as { url: string; settings: PaymentSettings }
const db = new Database(url, { application_name: 'nuqta-payment-worker', size: 4 })
const clock = new OffsetClock()
const payments = createPaymentProviders({
  ...{ db, clock, settings, environment: 'sandbox', public_url: 'https://localhost:8443' },
  secrets: createSecretBox(secret_key),
})
await createRunDueTasks({ db, clock, payments })()
process.stdout.write('done\n')
await db.close()
