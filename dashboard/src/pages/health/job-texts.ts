import type { TextKey } from '../../texts/catalogue.ts'

/** The names of background jobs. One that has none is shown as the service names it. */
export const jobTexts: Readonly<Record<string, TextKey>> = {
  'abandoned checkouts': 'health.job_abandoned',
  'daily figures': 'health.job_figures',
  erasures: 'health.job_erasures',
  expiry: 'health.job_expiry',
  invitations: 'health.job_invitations',
  'ledger verification': 'health.job_ledger',
  'settlement notices': 'health.job_notices',
  settlements: 'health.job_settlements',
  liability: 'health.job_liability',
  maintenance: 'health.job_maintenance',
  'payment tasks': 'health.job_payments',
  reconciliation: 'health.job_reconciliation',
}
