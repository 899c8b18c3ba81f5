import type { Database } from '../../db/pool.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { PaymentState } from '../../domain/payment.ts'
import type { PaymentProviderName, PaymentProviders, PaymentReport } from '../../providers/payment/port.ts'
import { findReported, findReportedByReference, type ReportedPayment } from '../orders/payment-task-queries.ts'

/** What came to an address of ours, said to be of a provider. */
export interface GivenReport extends Omit<PaymentReport, 'payment_uuid'> {
  readonly provider: PaymentProviderName
  readonly program_id: number
}

/** `settled`: what the provider's record says has been done. `open`: it says nothing final, or could not be asked. */
export type Received = 'settled' | 'open' | 'not genuine' | 'not ours'

export interface ReceiveReports {
  /** A report to the address of one payment. */
  readonly ofPayment: (payment_uuid: Uuid, report: GivenReport) => Promise<Received>
  /** A report to the address of an account, which names the payment by the provider's reference. */
  readonly ofAccount: (provider_reference: string, report: GivenReport) => Promise<Received>
}

interface Parts {
  readonly db: Database
  readonly payments: PaymentProviders
  readonly settlePayment: (program_id: number, payment_uuid: Uuid) => Promise<PaymentState | null>
}

/**
 * A report that is genuine makes the service ask the provider what became of the payment; nothing else that it says is
 * believed. Any number of the same come to the same.
 */
export function createReceiveReports({ db, payments, settlePayment }: Parts): ReceiveReports {
  async function receive(payment: ReportedPayment | undefined, report: GivenReport): Promise<Received> {
    if (payment?.provider !== report.provider) return 'not ours'
    const { program_id, payment_uuid } = payment
    const provider = await payments.of(payment, payment.provider)
    if (provider?.isGenuine({ ...report, payment_uuid }) !== true) return 'not genuine'
    const state = await settlePayment(program_id, payment_uuid)
    return state === null || state === 'created' ? 'open' : 'settled'
  }
  return {
    ofPayment: async (payment_uuid, report) =>
      receive(await db.one(findReported(report.program_id, payment_uuid)), report),
    ofAccount: async (provider_reference, report) =>
      receive(await db.one(findReportedByReference(report.program_id, report.provider, provider_reference)), report),
  }
}
