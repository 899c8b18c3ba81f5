import type { Limits } from '../limits/service.ts'
import { createOpenPage } from '../payments/begin.ts'
import { createLimitPayments } from '../payments/limit.ts'
import {
  type AskProvider,
  createAskProvider,
  createSettlePayment,
  type SettleParts,
  type SettlePayment,
} from '../payments/settle.ts'
import { type ChangeChoice, createChangeChoice } from './change.ts'
import {
  type ConfirmCheckout,
  type ContinueWithoutPoints,
  createConfirmCheckout,
  createContinueWithoutPoints,
} from './confirm.ts'
import { createResumePayment, createSettleCheckout, type ResumePayment, type SettleCheckout } from './resume.ts'
import { createProveSession, type ProveSession } from './session.ts'
import { createReadCheckout, type ReadCheckout, type ReadParts } from './view.ts'

/** What the pages of the hosted checkout call. */
export interface HostedCheckoutServices {
  readonly readCheckout: ReadCheckout
  readonly proveSession: ProveSession
  readonly confirmCheckout: ConfirmCheckout
  readonly continueWithoutPoints: ContinueWithoutPoints
  readonly resumePayment: ResumePayment
  readonly changeChoice: ChangeChoice
  readonly askProvider: AskProvider
  readonly settlePayment: SettlePayment
  readonly settleCheckout: SettleCheckout
}

/** `public_url` is the beginning of links, without a trailing slash. */
export type HostedCheckoutParts = SettleParts &
  Pick<ReadParts, 'environment' | 'rememberedBrowsers'> & { readonly public_url: string; readonly limits: Limits }

/** Makes the services of the hosted checkout, which share the functions that call payment providers. */
export function createHostedCheckout(parts: HostedCheckoutParts): HostedCheckoutServices {
  const { db } = parts
  const askProvider = createAskProvider(parts)
  const limitPayments = createLimitPayments(parts.limits)
  const payParts = { ...parts, openPage: createOpenPage({ ...parts, askProvider }), limitPayments }
  return {
    readCheckout: createReadCheckout(parts),
    proveSession: createProveSession(parts),
    confirmCheckout: createConfirmCheckout(payParts),
    continueWithoutPoints: createContinueWithoutPoints(payParts),
    resumePayment: createResumePayment({ ...payParts, askProvider }),
    changeChoice: createChangeChoice({ ...parts, askProvider }),
    askProvider,
    settlePayment: createSettlePayment(askProvider),
    settleCheckout: createSettleCheckout(db, askProvider),
  }
}
