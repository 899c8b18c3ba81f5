/** Numbers of customers that exist in a sandbox. They are local numbers, as `phone.ts` gives them. */

/** A customer that a sandbox makes for itself. */
export interface SandboxIdentity {
  readonly phone: string
  readonly status: 'active' | 'invited'
  readonly points: number
}

/** The customers of every sandbox program. docs/spec/customers.md#sandbox-identities */
export const sandboxIdentities = [
  { phone: '500000001', status: 'active', points: 10_000 },
  { phone: '500000002', status: 'active', points: 0 },
  { phone: '500000003', status: 'invited', points: 0 },
] as const

/** The customer with the longest history in a sandbox that began with one. docs/spec/customers.md#sandbox-history */
export const history_phone = '500000011'

/** The customers of that history whom no purchase creates: one whose points wait for their activation. */
export const historyIdentities: readonly SandboxIdentity[] = [{ phone: '500000014', status: 'invited', points: 0 }]
