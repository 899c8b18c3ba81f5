import { Database } from '../../src/db/pool.ts'
import type { Phone } from '../../src/domain/phone.ts'
import { eraseCustomer } from '../../src/features/erasure/service.ts'
import { secrets } from '../support/deliveries.ts'

// A command that erases a customer in a separate process, which a test kills.

const [url = '', program_id = '', phone = ''] = process.argv.slice(2)
const owner = new Database(url, { size: 2, application_name: 'nuqta-test-eraser' })
const by = { source: 'command', name: 'Root' } as const
await eraseCustomer({ owner, secrets, by }, { program_id: Number(program_id), phone: phone as Phone, typed: phone })
