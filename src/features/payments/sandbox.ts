import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import {
  answerChallenge,
  chooseCard,
  type SandboxCard,
  type SandboxChange,
  type SandboxPayment,
  sandboxPaymentAt,
} from '../../domain/sandbox-payment.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SandboxPaymentStore } from '../../providers/payment/sandbox.ts'
import {
  findSandboxPayment,
  findSandboxRefunds,
  insertSandboxPayment,
  insertSandboxRefund,
  lockSandboxPayment,
  type SandboxRow,
  updateSandboxPayment,
} from './sandbox-queries.ts'

interface Parts {
  readonly db: Database
  readonly clock: Clock
}

interface Key {
  readonly program_id: number
  readonly payment_uuid: Uuid
}

type Decide = (payment: SandboxPayment) => SandboxChange

/** Stores the payments of the sandbox's provider in its own tables. Times are business time. */
export function createSandboxStore({ db, clock }: Parts): SandboxPaymentStore {
  return {
    now: () => clock.now(),
    create: async (request) => {
      await db.run(insertSandboxPayment(request, clock.now()))
    },
    find: async (asked) => (await db.one(findSandboxPayment(asked))) ?? null,
    refundsOf: async (asked) => (await db.run(findSandboxRefunds(asked))).map(({ refund_uuid }) => refund_uuid),
    change: (asked, decide) => db.transaction((tx) => changeLocked(tx, clock.now(), asked, decide)),
    refund: (asked, decide) =>
      db.transaction(async (tx) => {
        const payment = await tx.one(lockSandboxPayment(asked))
        const known = await tx.run(findSandboxRefunds(asked))
        if (payment !== undefined && known.some(({ refund_uuid }) => refund_uuid === asked.refund_uuid)) return true
        const changed = await changeLocked(tx, clock.now(), asked, decide)
        if (changed === true) void tx.run(insertSandboxRefund(asked, clock.now()))
        return changed
      }),
  }
}

async function changeLocked(tx: Transaction, now: Date, key: Key, decide: Decide): Promise<boolean | null> {
  const payment = await tx.one(lockSandboxPayment(key))
  if (payment === undefined) return null
  const change = decide(payment)
  if (change === null) return false
  void tx.run(updateSandboxPayment(key, change, now))
  return true
}

/** What the payment page of the sandbox does. */
export interface SandboxPage {
  /** The payment as it is now, or null where there is none or it has vanished. */
  readonly read: (key: Key) => Promise<SandboxRow | null>
  /** Pays with a card, or fails. Changes nothing on a page that has been used. */
  readonly choose: (key: Key, card: SandboxCard) => Promise<void>
  /** Answers the bank's challenge. */
  readonly answer: (key: Key, passed: boolean) => Promise<void>
}

export interface SandboxPageParts extends Parts {
  /** Like a provider's callback: makes the service ask about the payment. */
  readonly report: (program_id: number, payment_uuid: Uuid) => Promise<unknown>
}

export function createSandboxPage({ db, clock, report }: SandboxPageParts): SandboxPage {
  const change = async (key: Key, decide: Decide) => {
    const changed = await db.transaction((tx) => changeLocked(tx, clock.now(), key, decide))
    // The customer's return asks again, so a failed report does no harm.
    if (changed === true) await report(key.program_id, key.payment_uuid).catch(() => undefined)
  }
  return {
    async read(key) {
      const row = await db.one(findSandboxPayment(key))
      const payment = row === undefined ? null : sandboxPaymentAt(row, clock.now())
      return row === undefined || payment === null ? null : { ...row, ...payment }
    },
    choose: (key, card) => change(key, (payment) => chooseCard(payment, card, clock.now())),
    answer: (key, passed) => change(key, (payment) => answerChallenge(payment, passed)),
  }
}
