import { Database } from '../../src/db/pool.ts'
import { createSendInvitations } from '../../src/features/customers/invitations.ts'
import { sandboxSms } from '../../src/providers/sms/sandbox.ts'
import { budgetOn } from '../support/messages.ts'

// A worker in a separate process, which a test kills: it reports and stops for ever just before its first message.

const db = new Database(process.argv[2] ?? '', { plans: 'by_key', size: 2, application_name: 'nuqta-test-worker' })
const forEver = (): Promise<never> => new Promise(() => setInterval(() => undefined, 60_000))
const send = createSendInvitations({
  db,
  public_url: 'https://points.example',
  lease_ms: 1_000,
  budget: budgetOn(db),
  sms: {
    ...sandboxSms,
    send: () => {
      process.stdout.write('sending\n')
      return forEver()
    },
  },
})
await send()
