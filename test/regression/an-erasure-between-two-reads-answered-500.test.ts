import { expect, it, vi } from 'vitest'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { createSecretBox } from '../../src/lib/secrets.ts'
import { defaults } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone } from '../support/earnings.ts'
import { walletStage } from '../support/wallet-stage.ts'

// A page of the wallet read the session, and then the wallet. A customer who was erased between the two has no number to show.

const database = testDatabase()
const stage = walletStage(database)

it.each(['/wallet', '/wallet/statement'])('%s begins anew', async (path) => {
  const phone = freshPhone()
  await stage.customer(phone, 'Noura').buy(stage.cafe, 10_000)
  const me = await stage.signedIn(phone)
  const { services } = stage.app
  const { readWallet } = services
  const parts = {
    owner: database.owner,
    secrets: createSecretBox(defaults.secret_key),
    by: { source: 'command', name: 'Sara' } as const,
  }
  const reads = vi.spyOn(services, 'readWallet').mockImplementationOnce(async (program_id, customer_id) => {
    await eraseCustomer(parts, { program_id, phone, typed: phone })
    return readWallet(program_id, customer_id)
  })
  const seen = await me.open(path)
  expect(reads).toHaveBeenCalledOnce()
  reads.mockRestore()
  expect([seen.status, seen.text.includes('Noura')]).toEqual([200, false])
})
