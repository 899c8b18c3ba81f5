import type { ComponentType } from 'react'
import type { Permission } from '../../src/domain/staff.ts'
import type { IconName } from './parts/icon.tsx'
import type { TextKey } from './texts/catalogue.ts'

/** The parts of navigation, in their order. */
export const groups = ['daily', 'money', 'integration', 'settings', 'service'] as const
export type Group = (typeof groups)[number]

interface PageRow {
  /** Below `/dashboard/m/<merchant>/`, `/dashboard/p/<program>/` or `/dashboard/operator/`, with `$names`. */
  readonly path: string
  /** The name in navigation, palette and title bar. */
  readonly name: TextKey
  /** A shorter one, for the bar of a phone. */
  readonly short?: TextKey
  readonly icon: IconName
  /** Where navigation lists it; a page without a group is reached from another page. */
  readonly group?: Group
  /** The page above it, for its breadcrumbs. */
  readonly above?: string
  readonly load: () => Promise<{ readonly Page: ComponentType }>
}

/** A page about one merchant. */
interface MerchantPage extends PageRow {
  readonly may: Permission
}

/** THE PAGE TABLE: every page about a merchant, in the order of navigation. Each is loaded when it is first opened. */
// biome-ignore format: one row per page, to be read as a table
export const merchantPages: readonly MerchantPage[] = [
  { path: '',                        name: 'overview.name',          icon: 'chart',      group: 'daily',       may: 'view',            load: () => import('./pages/overview/page.tsx') },
  { path: 'orders',                  name: 'orders.name',            icon: 'orders',     group: 'daily',       may: 'view',            load: () => import('./pages/orders/page.tsx') },
  { path: 'orders/$orderUuid',       name: 'order.name',             icon: 'orders',     above: 'orders',      may: 'view',            load: () => import('./pages/order/page.tsx') },
  { path: 'customers',               name: 'customers.name',         icon: 'customers',  group: 'daily',       may: 'view',            load: () => import('./pages/customers/page.tsx') },
  { path: 'customers/$customerId',   name: 'customers.one',          icon: 'person',     above: 'customers',   may: 'view',            load: () => import('./pages/customer/page.tsx') },
  { path: 'settlements',             name: 'settlements.name',       icon: 'card',       group: 'money',       may: 'view',            load: () => import('./pages/settlements/page.tsx') },
  { path: 'settlements/$settlementUuid', name: 'settlements.one',    icon: 'card',       above: 'settlements', may: 'view',            load: () => import('./pages/settlement/page.tsx') },
  { path: 'settlements/$settlementUuid/statement', name: 'settlements.statement', icon: 'card', above: 'settlements', may: 'view', load: () => import('./pages/statement/page.tsx') },
  { path: 'checklist',               name: 'checklist.name',         icon: 'checklist',  group: 'integration', may: 'view',            load: () => import('./pages/checklist/page.tsx') },
  { path: 'webhooks',                name: 'webhooks.name',          icon: 'webhook',    group: 'integration', may: 'view',            load: () => import('./pages/webhooks/page.tsx') },
  { path: 'webhooks/$uuid',          name: 'webhooks.one',           icon: 'webhook',    above: 'webhooks',    may: 'view',            load: () => import('./pages/webhook/page.tsx') },
  { path: 'deliveries',              name: 'deliveries.name',        icon: 'deliveries', group: 'integration', may: 'view',            load: () => import('./pages/deliveries/page.tsx') },
  { path: 'deliveries/$deliveryId',  name: 'deliveries.one',         icon: 'deliveries', above: 'deliveries',  may: 'view',            load: () => import('./pages/delivery/page.tsx') },
  { path: 'requests',                name: 'requests.name',          icon: 'requests',   group: 'integration', may: 'view',            load: () => import('./pages/requests/page.tsx') },
  { path: 'settings/keys',           name: 'settings.keys',          icon: 'key',        group: 'integration', may: 'view',            load: () => import('./pages/keys/page.tsx') },
  { path: 'settings/earning',        name: 'settings.earning',       icon: 'earning',    group: 'settings',    may: 'view',            load: () => import('./pages/earning/page.tsx') },
  { path: 'settings/payment',        name: 'settings.payment',       icon: 'card',       group: 'settings',    may: 'view',            load: () => import('./pages/payment/page.tsx') },
  { path: 'settings/brand',          name: 'settings.brand',         icon: 'brand',      group: 'settings',    may: 'view',            load: () => import('./pages/brand/page.tsx') },
  { path: 'team',                    name: 'team.name',              icon: 'team',       group: 'settings',    may: 'view',            load: () => import('./pages/team/page.tsx') },
  { path: 'audit',                   name: 'audit.name',             icon: 'audit',      group: 'settings',    may: 'read_audit',      load: () => import('./pages/audit/page.tsx') },
]

/** The pages about one program, which operators alone open. */
// biome-ignore format: one row per page, to be read as a table
export const programPages: readonly PageRow[] = [
  { path: '',                        name: 'program.name',           icon: 'chart',      group: 'daily',       load: () => import('./pages/program/page.tsx') },
  { path: 'merchants',               name: 'program.merchants',      icon: 'store',      group: 'daily',       load: () => import('./pages/program-merchants/page.tsx') },
  { path: 'customers',               name: 'people.name',            icon: 'customers',  group: 'daily',       load: () => import('./pages/program-customers/page.tsx') },
  { path: 'customers/$customerId',   name: 'people.one',             icon: 'person',     above: 'customers',   load: () => import('./pages/program-customer/page.tsx') },
  { path: 'settlements',             name: 'settlements.name',       icon: 'card',       group: 'money',       load: () => import('./pages/program-settlements/page.tsx') },
  { path: 'settlements/$settlementUuid', name: 'settlements.one',    icon: 'card',       above: 'settlements', load: () => import('./pages/program-settlement/page.tsx') },
  { path: 'settlements/$settlementUuid/statement', name: 'settlements.statement', icon: 'card', above: 'settlements', load: () => import('./pages/program-statement/page.tsx') },
  { path: 'disputes',                name: 'settling.disputes',      icon: 'alert',      above: 'settlements', load: () => import('./pages/program-disputes/page.tsx') },
  { path: 'proposals',               name: 'proposals.name',         icon: 'proposals',  group: 'daily',       short: 'proposals.short', load: () => import('./pages/proposals/page.tsx') },
  { path: 'settings',                name: 'program-settings.name',  icon: 'settings',   group: 'settings',    load: () => import('./pages/program-settings/page.tsx') },
  { path: 'findings',                name: 'findings.name',          icon: 'findings',   group: 'money',       load: () => import('./pages/findings/page.tsx') },
  { path: 'ledger',                  name: 'ledger.name',            icon: 'ledger',     group: 'money',       load: () => import('./pages/ledger/page.tsx') },
  { path: 'audit',                   name: 'audit.name',             icon: 'audit',      group: 'settings',    load: () => import('./pages/program-audit/page.tsx') },
  { path: 'liability',               name: 'liability.name',         icon: 'liability',  group: 'money',       load: () => import('./pages/liability/page.tsx') },
  { path: 'merchants/$merchantId',   name: 'review.name',            icon: 'store',      above: 'merchants',   load: () => import('./pages/program-merchant/page.tsx') },
]

/** The pages about the whole service, which operators alone open. */
// biome-ignore format: one row per page, to be read as a table
export const operatorPages: readonly PageRow[] = [
  { path: 'people',                  name: 'operators.name',         icon: 'shield',     group: 'service',     load: () => import('./pages/operators/page.tsx') },
  { path: 'health',                  name: 'health.name',            icon: 'health',     group: 'service',     load: () => import('./pages/health/page.tsx') },
  { path: 'messages',                name: 'messages.name',          icon: 'phone',      group: 'service',     load: () => import('./pages/messages/page.tsx') },
  { path: 'audit',                   name: 'audit.operator_name',    icon: 'audit',      group: 'service',     short: 'audit.name', load: () => import('./pages/operator-audit/page.tsx') },
]
