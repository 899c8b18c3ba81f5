/** What the audit log records. docs/spec/operation.md#audit */
import type { Uuid } from './ids.ts'

/** Every change that is recorded: the command that makes it, or the page of the dashboard with the same effect. */
export type AuditAction =
  | 'clock.set'
  | 'customers.activate'
  | 'customers.ask-erasure'
  | 'customers.block'
  | 'customers.cancel-erasure'
  | 'customers.erase'
  | 'customers.merge'
  | 'customers.unblock'
  | 'deliveries.replay'
  | 'demo.begin'
  | 'demo.complete'
  | 'findings.set'
  | 'keys.regenerate'
  | 'ledger.cancel'
  | 'ledger.verify'
  | 'merchant.brand'
  | 'merchant.create'
  | 'merchant.document'
  | 'merchant.note'
  | 'merchant.payment'
  | 'merchant.resume'
  | 'merchant.rotate-checkout-secret'
  | 'merchant.set'
  | 'merchant.suspend'
  | 'orders.authorize'
  | 'orders.cancel'
  | 'orders.capture'
  | 'orders.complete'
  | 'orders.refund'
  | 'orders.reverse'
  | 'orders.status'
  | 'operator.create'
  | 'operator.disable'
  | 'operator.enable'
  | 'operator.recover'
  | 'program.create'
  | 'program.rate'
  | 'program.set'
  | 'program.terms'
  | 'program.test-webhook'
  | 'program.webhook'
  | 'proposal.confirm'
  | 'proposal.make'
  | 'proposal.reject'
  | 'secrets.rotate'
  | 'session.begin'
  | 'session.end'
  | 'settlement.close'
  | 'settlement.exclude'
  | 'settlement.include'
  | 'settlement.tell'
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
  | 'webhooks.create'
  | 'webhooks.delete'
  | 'webhooks.rotate'
  | 'webhooks.set'
  | 'webhooks.test'

/** The program of changes that concern the whole deployment. Real programs are numbered from 1. */
export const deployment_program_id = 0

/** What a change is about, as `nuqta audit list --of` takes it: `merchant:7`, `customer:<uuid>`, `deployment`. */
export type AuditObject = 'deployment' | `${'merchant' | 'program'}:${number}` | `${AuditUuidKind}:${Uuid}`

/** The kinds of objects that are known by a uuid. */
export const auditUuidKinds = ['customer', 'delivery', 'order', 'proposal', 'settlement', 'staff', 'webhook'] as const
export type AuditUuidKind = (typeof auditUuidKinds)[number]

/** Who makes a change. A command has the name of its operator, the dashboard that of the signed-in person. */
export interface Actor {
  readonly source: 'command' | 'dashboard'
  readonly name: string
  /** The merchant whose staff makes the change. A change that names no merchant itself is then about this one. */
  readonly merchant_id?: number | undefined
  /** The person who is signed in; a command has none. */
  readonly staff_uuid?: Uuid | undefined
  /** Who proposed what this person confirms. */
  readonly proposed_by?: string | undefined
}

/** One change. Neither side holds a secret or a phone number. */
export interface Change {
  readonly program_id: number
  readonly action: AuditAction
  readonly object: AuditObject
  /** The merchant that the object belongs to, where the object does not say so itself: its staff may see the change. */
  readonly merchant_id?: number | undefined
  /** The changed fields before; null for something new. */
  readonly before: object | null
  /** The changed fields after; null where there is nothing to show, such as a new secret. */
  readonly after: object | null
}

/** The merchant that a change is about; null for none. */
export function merchantOfChange(by: Actor, { object, merchant_id }: Change): number | null {
  const [, named] = /^merchant:(\d+)$/.exec(object) ?? []
  return merchant_id ?? (named === undefined ? null : Number(named)) ?? by.merchant_id ?? null
}

/** The changed fields side by side. A field that is new, or gone, lacks a side. */
export function differenceOf(
  before: object | null,
  after: object | null,
): { readonly field: string; readonly before?: unknown; readonly after?: unknown }[] {
  const [was, is] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after ?? {}))]
  return [...new Set([...was.keys(), ...is.keys()])].map((field) => ({
    field,
    ...(was.has(field) ? { before: was.get(field) } : {}),
    ...(is.has(field) ? { after: is.get(field) } : {}),
  }))
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

/** Leaves out changes of no field: a request that sets what is set already leaves no row. */
export function withoutUnchanged(changes: readonly Change[]): readonly Change[] {
  const isEmpty = (side: object | null) => side !== null && Object.keys(side).length === 0
  return changes.filter(({ before, after }) => !(isEmpty(before) && isEmpty(after)))
}
