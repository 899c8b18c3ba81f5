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

export type { SandboxRow } from './sandbox-queries.ts'

interface Parts {
  readonly db: Database
  readonly clock: Clock
}

interface Key {
  readonly program_id: number
  readonly payment_uuid: Uuid
}

type Decide = (payment: SandboxPayment) => SandboxChange

/** The payments of the sandbox's provider, in its own tables. Times are the business clock's. */
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
  /** The payment as it is now; null where there is none, or where it has vanished. */
  readonly read: (key: Key) => Promise<SandboxRow | null>
  /** Pays by a card, or does not; a page that has been used already stays as it is. */
  readonly choose: (key: Key, card: SandboxCard) => Promise<void>
  readonly answer: (key: Key, passed: boolean) => Promise<void>
}

export interface SandboxPageParts extends Parts {
  /** As a provider's callback would: the service asks what became of the payment. */
  readonly report: (program_id: number, payment_uuid: Uuid) => Promise<unknown>
}

/** Makes what the payment page does. */
export function createSandboxPage({ db, clock, report }: SandboxPageParts): SandboxPage {
  const change = async (key: Key, decide: Decide) => {
    const changed = await db.transaction((tx) => changeLocked(tx, clock.now(), key, decide))
    // Whoever comes back asks again: a report that fails stands in nobody's way.
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
