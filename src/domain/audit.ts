/** What the audit log records. docs/spec/operation.md#audit */
import type { Uuid } from './ids.ts'

/** Every change that is recorded: the command that makes it, or the page of the dashboard with the same effect. */
export type AuditAction =
  | 'clock.set'
  | 'customers.activate'
  | 'customers.erase'
  | 'deliveries.replay'
  | 'demo.begin'
  | 'demo.complete'
  | 'keys.regenerate'
  | 'merchant.brand'
  | 'merchant.create'
  | 'merchant.payment'
  | 'merchant.rotate-checkout-secret'
  | 'merchant.set'
  | 'orders.authorize'
  | 'orders.cancel'
  | 'orders.capture'
  | 'orders.complete'
  | 'orders.refund'
  | 'orders.reverse'
  | 'orders.status'
  | 'operator.create'
  | 'operator.recover'
  | 'program.create'
  | 'program.set'
  | 'secrets.rotate'
  | 'session.begin'
  | 'session.end'
  | 'settlement.close'
  | 'staff.account'
  | 'staff.passkey'
  | 'staff.password'
  | 'staff.recovery-codes'
  | 'staff.totp'
  | 'team.invite'
  | 'team.join'
  | 'team.remove'
  | 'team.role'
  | 'team.withdraw'
  | 'wallet.adjust'
  | 'webhooks.rotate'
  | 'webhooks.test'

/** The program of changes that concern the whole deployment. Real programs are numbered from 1. */
export const deployment_program_id = 0

/** What a change is about, as `nuqta audit list --of` takes it: `merchant:7`, `customer:<uuid>`, `deployment`. */
export type AuditObject = 'deployment' | `${'merchant' | 'program'}:${number}` | `${AuditUuidKind}:${Uuid}`

/** The kinds of objects that are known by a uuid. */
export const auditUuidKinds = ['customer', 'delivery', 'order', 'settlement', 'staff', 'webhook'] as const
export type AuditUuidKind = (typeof auditUuidKinds)[number]

/** Who makes a change. A command has the name of its operator, the dashboard that of the signed-in person. */
export interface Actor {
  readonly source: 'command' | 'dashboard'
  readonly name: string
}

/** One change. Neither side holds a secret or a phone number. */
export interface Change {
  readonly program_id: number
  readonly action: AuditAction
  readonly object: AuditObject
  /** The changed fields before; null for something new. */
  readonly before: object | null
  /** The changed fields after; null where there is nothing to show, such as a new secret. */
  readonly after: object | null
}

/**
 * Takes a row as it was and its changes; gives the changed fields before and after. Fields that keep their value are
 * left out.
 */
export function changedFields(
  was: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Pick<Change, 'before' | 'after'> {
  const isChanged = ([name, value]: [string, unknown]): boolean =>
    value !== undefined && JSON.stringify(value) !== JSON.stringify(was[name])
  const changed = Object.entries(changes).filter(isChanged)
  const before = Object.fromEntries(changed.map(([name]) => [name, was[name]]))
  return { before, after: Object.fromEntries(changed) }
}
