import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/pool.ts'
import type { Uuid } from '../../domain/ids.ts'
import { minute_ms } from '../../domain/spans.ts'
import type { PaymentProviderName, PaymentProviders, PaymentReport } from '../../providers/payment/port.ts'
import { findReported, findReportedByReference, type ReportedPayment } from '../orders/payment-task-queries.ts'
import { type AskProvider, awaitsRecord, type Settled } from './settle.ts'

/** A request to a callback address, as yet unverified. */
export interface GivenReport extends Omit<PaymentReport, 'payment_uuid'> {
  readonly provider: PaymentProviderName
  readonly program_id: number
}

/**
 * `settled`: the provider's record has been applied. `open`: it says nothing final, the provider did not answer, or it was asked
 * too often.
 */
export type Received = 'settled' | 'open' | 'not genuine' | 'not ours'

export interface ReceiveReports {
  /** Receives a report at the address of one payment. */
  readonly ofPayment: (payment_uuid: Uuid, report: GivenReport) => Promise<Received>
  /** Receives a report at the address of an account; it names the payment by the provider's reference. */
  readonly ofAccount: (provider_reference: string, report: GivenReport) => Promise<Received>
}

interface Parts {
  readonly db: Database
  readonly payments: PaymentProviders
  readonly askProvider: AskProvider
}

/** A genuine report only makes the service ask the provider about the payment; nothing else in it is trusted. */
export function createReceiveReports({ db, payments, askProvider }: Parts): ReceiveReports {
  const mayAsk = createAskLimit()
  async function receive(payment: ReportedPayment | undefined, report: GivenReport): Promise<Received> {
    if (payment?.provider !== report.provider) return 'not ours'
    const { program_id, payment_uuid } = payment
    const provider = await payments.of(payment, payment.provider)
    if (provider?.isGenuine({ ...report, payment_uuid }) !== true) return 'not genuine'
    if (awaitsRecord(payment) && !mayAsk(payment_uuid)) return 'open'
    const settled = await askProvider(program_id, payment_uuid)
    return settled !== null && isFinal(settled) ? 'settled' : 'open'
  }
  return {
    ofPayment: async (payment_uuid, report) =>
      receive(await db.one(findReported(report.program_id, payment_uuid)), report),
    ofAccount: async (provider_reference, report) =>
      receive(await db.one(findReportedByReference(report.program_id, report.provider, provider_reference)), report),
  }
}

/**
 * Whether a report needs no repetition. Money can still come for a payment that has failed here, and only a report announces
 * it: without the provider's record, the provider has to send it again.
 */
function isFinal({ payment: { state }, answer }: Settled): boolean {
  return state === 'failed' ? answer === 'record' : state !== 'created'
}

/** Reports of one payment that query its provider within a minute. Providers send a few within hours. */
export const most_reports = 20

/** The most payments whose reports a process counts at a time. */
const most_counted = 10_000

/**
 * Whether a report may query the provider. The customer has a genuine report too: the form that the browser brings back from
 * PayTabs. An answer of some seconds ago will not do instead: the report may be of money that came after it. Each process counts
 * for itself.
 */
function createAskLimit(): (payment_uuid: Uuid) => boolean {
  const counts = new LRUCache<Uuid, { asked: number }>({ max: most_counted, ttl: minute_ms })
  return (payment_uuid) => {
    const count = counts.get(payment_uuid) ?? { asked: 0 }
    if (count.asked === 0) counts.set(payment_uuid, count)
    count.asked += 1
    return count.asked <= most_reports
  }
}
