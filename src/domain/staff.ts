/** The people who use the dashboard, and what they may do. docs/spec/operation.md#staff */
import type { Uuid } from './ids.ts'
import type { Locale } from './locale.ts'

/** What a person is at a merchant, the most powerful first. */
export const roles = ['owner', 'manager', 'support', 'read_only'] as const
export type Role = (typeof roles)[number]

/** What can be done at a merchant, and who may. Operators may do everything at every merchant. */
export const permissions = {
  view: ['owner', 'manager', 'support', 'read_only'],
  handle_orders: ['owner', 'manager', 'support'],
  adjust_wallets: ['owner', 'manager', 'support'],
  change_settings: ['owner', 'manager'],
  read_audit: ['owner', 'manager'],
  change_keys: ['owner'],
  manage_team: ['owner'],
} as const satisfies Record<string, readonly Role[]>
export type Permission = keyof typeof permissions
export const permissionNames = Object.keys(permissions) as Permission[]

/** A role at a merchant; `operator` for people who run the deployment. */
export type Standing = Role | 'operator'

/** The most points that one adjustment may add or take, by who makes it; null for no limit. */
export const adjustmentLimits: Readonly<Record<Standing, number | null>> = {
  operator: null,
  owner: null,
  manager: 10_000,
  support: 500,
  read_only: 0,
}

export interface Membership {
  readonly program_id: number
  readonly merchant_id: number
  readonly merchant_name: string
  /** On Arabic pages; null for the same name. */
  readonly merchant_name_ar: string | null
  readonly role: Role
}

/** A person who is signed in, with every factor that their account asks for. */
export interface Session {
  readonly session_uuid: Uuid
  readonly staff_uuid: Uuid
  readonly email: string
  readonly name: string
  /** The language that the person chose; null for the browser's. */
  readonly locale: Locale | null
  readonly is_operator: boolean
  readonly memberships: readonly Membership[]
  /** The token that every request that changes something has to carry. */
  readonly csrf: string
  readonly started_at: Date
}

/** The standing of a person at a merchant; null if they have none there. */
export function standingOf(
  session: Pick<Session, 'is_operator' | 'memberships'>,
  merchant_id: number,
): Standing | null {
  if (session.is_operator) return 'operator'
  return session.memberships.find((one) => one.merchant_id === merchant_id)?.role ?? null
}

/**
 * Whether a suspension keeps somebody from adding and taking points. It never keeps operators.
 * docs/spec/operation.md#merchants
 */
export function isStoppedBySuspension(standing: Standing, merchant: { readonly suspended: boolean }): boolean {
  return merchant.suspended && standing !== 'operator'
}

/** Gives what somebody with this standing may do. */
export function permissionsOf(standing: Standing): Permission[] {
  return permissionNames.filter((permission) => mayDo(standing, permission))
}

/** Whether somebody with this standing has a permission. */
export function mayDo(standing: Standing, permission: Permission): boolean {
  const allowed: readonly Standing[] = permissions[permission]
  return standing === 'operator' || allowed.includes(standing)
}
