import type { Limits } from '../limits/service.ts'
import { createCountStranger } from '../payments/admission.ts'
import { createOpenPage } from '../payments/page.ts'
import { createAskProvider, createSettlePayment, type SettleParts, type SettlePayment } from '../payments/settle.ts'
import { type ChangeChoice, createChangeChoice } from './change.ts'
import { type ConfirmCheckout, createConfirmCheckout } from './confirm.ts'
import { type ContinueWithoutPoints, createContinueWithoutPoints } from './continue.ts'
import { createProveSession, type ProveSession } from './prove.ts'
import { createReadCheckout, type ReadCheckout, type ReadParts } from './read.ts'
import { createResumePayment, type ResumePayment } from './resume.ts'
import { createSettleCheckout, type SettleCheckout } from './settle.ts'

/** What the pages of the hosted checkout ask. */
export interface HostedCheckoutServices {
  readonly readCheckout: ReadCheckout
  readonly proveSession: ProveSession
  readonly confirmCheckout: ConfirmCheckout
  readonly continueWithoutPoints: ContinueWithoutPoints
  readonly resumePayment: ResumePayment
  readonly changeChoice: ChangeChoice
  readonly settlePayment: SettlePayment
  readonly settleCheckout: SettleCheckout
}

/** `public_url` is where links begin, without a trailing slash. */
export type HostedCheckoutParts = SettleParts &
  Pick<ReadParts, 'environment'> & { readonly public_url: string; readonly limits: Limits }

/** Makes the stories of the hosted checkout, which share the way to a provider. */
export function createHostedCheckout(parts: HostedCheckoutParts): HostedCheckoutServices {
  const { db } = parts
  const askProvider = createAskProvider(parts)
  const countStranger = createCountStranger(parts.limits)
  const openPage = createOpenPage({ ...parts, askProvider })
  return {
    readCheckout: createReadCheckout(parts),
    proveSession: createProveSession(parts),
    confirmCheckout: createConfirmCheckout({ ...parts, openPage }),
    continueWithoutPoints: createContinueWithoutPoints({ ...parts, openPage, countStranger }),
    resumePayment: createResumePayment({ ...parts, askProvider, openPage, countStranger }),
    changeChoice: createChangeChoice({ ...parts, askProvider }),
    settlePayment: createSettlePayment(askProvider),
    settleCheckout: createSettleCheckout(db, askProvider),
  }
}
