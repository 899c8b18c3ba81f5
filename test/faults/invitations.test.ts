import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createSendInvitations } from '../../src/features/customers/invitations.ts'
import { createEarn } from '../../src/features/earning/service.ts'
import { sandboxSms } from '../../src/providers/sms/sandbox.ts'
import { testDatabase } from '../support/database.ts'
import { earningMerchants, earningOf, inProgram, TestClock } from '../support/earnings.ts'
import { budgetOn } from '../support/messages.ts'
import { waitFor } from '../support/wait.ts'

const database = testDatabase()

test('a worker that is killed while it sends leaves the message to the next one, once its lease is over', async () => {
  const [shop] = await earningMerchants(database.db, 1)
  if (shop === undefined) throw new Error('no merchant was made')
  const merchant = inProgram(shop, { activation: 'required' })
  const clock = new TestClock('2026-02-01T09:00:00.000Z')
  await createEarn({ db: database.db, clock, lock_window_s: 10 })(earningOf(merchant))

  const script = fileURLToPath(new URL('invitation-worker.ts', import.meta.url))
  const worker = spawn(process.execPath, [script, database.url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(worker, 'exit')
  onTestFinished(() => void worker.kill('SIGKILL'))
  await once(worker.stdout, 'data')
  worker.kill('SIGKILL')
  await ended

  const sent: string[] = []
  const send = createSendInvitations({
    db: database.db,
    budget: budgetOn(database.db),
    public_url: 'https://points.example',
    sms: {
      ...sandboxSms,
      send: async ({ text }) => {
        sent.push(text)
        return { kind: 'sent', reference: '1' }
      },
    },
  })
  await waitFor('the lease to end', async () => (await send()) > 0)
  expect(sent).toHaveLength(1)
  const rows = await database.owner.run({ text: 'select state, attempts from sms_queue', values: [] })
  expect(rows).toEqual([{ state: 'sent', attempts: 2 }])
})
