import type { Database } from '../../../db/pool.ts'
import type { Actor } from '../../../domain/audit.ts'
import { DomainError } from '../../../domain/failures.ts'
import { day_ms, hour_ms } from '../../../domain/spans.ts'
import { createDisputes } from '../../settlement/exclusion.ts'
import { orderKey, type RunContext } from './run-step.ts'
import type { BetweenSteps, Buy, YearOptions, YearStep } from './steps.ts'

/** The orders that the operator leaves out of settlements, because customer and shop disagree about them. */

/** No month of them is closed yet. */
const youngest_ms = 2 * day_ms
const oldest_ms = 18 * day_ms
const later_ms = 26 * hour_ms

const reasons = [
  'يقول العميل إنه لم يستلم الطلب، والمتجر يراجع شركة الشحن',
  'The customer was charged twice at the till; the bank is looking into it',
  'يعترض العميل على المبلغ: الفاتورة أقل مما سُجّل',
  'Returned at the branch, but the shop has not entered the refund',
  'ينفي صاحب الرقم أنه اشترى من هذا المتجر',
] as const

/** Leaves an order out for each reason, of several shops where there are enough. Running it again changes nothing. */
export function planDisputes(
  { db, by }: { readonly db: Database; readonly by: Actor },
  { shops, orders }: RunContext,
  { options, steps }: { readonly options: YearOptions; readonly steps: readonly YearStep[] },
): readonly BetweenSteps[] {
  return chosen(options, steps).map(({ who: { program }, shop, number, at_ms: bought_ms }, place) => {
    const at_ms = bought_ms + later_ms
    const run = async (): Promise<void> => {
      const merchant = shops[program]?.[shop]
      const order_uuid = merchant && orders.get(orderKey(merchant.merchant_id, number))?.order_uuid
      if (!merchant || !order_uuid) return
      const { program_id, merchant_id } = merchant
      const order = { program_id, merchant_id, order_uuid }
      const disputes = createDisputes(db, { now: () => new Date(at_ms) })
      if ((await disputes.read(order)) !== undefined) return
      await disputes.begin({ ...order, reason: reasons[place] ?? reasons[0], by }).catch(unlessRefused)
    }
    return { at_ms, run }
  })
}

/** Purchases of the last weeks, each of another shop until all have one, and none that is refunded. */
function chosen({ until_ms }: YearOptions, steps: readonly YearStep[]): readonly Buy[] {
  const key = ({ who, shop, number }: Pick<Buy, 'who' | 'shop' | 'number'>) => `${who.program} ${shop} ${number}`
  const refunded = new Set(steps.flatMap((step) => (step.does === 'refund' ? [key(step)] : [])))
  const young = steps.filter(
    (step): step is Buy =>
      step.does === 'buy' &&
      step.at_ms > until_ms - oldest_ms &&
      step.at_ms < until_ms - youngest_ms &&
      !refunded.has(key(step)),
  )
  const taken = new Map<string, number>()
  const turns = young.map((step) => {
    const shop = `${step.who.program} ${step.shop}`
    const turn = taken.get(shop) ?? 0
    taken.set(shop, turn + 1)
    return { step, turn }
  })
  return turns
    .sort((one, other) => one.turn - other.turn)
    .slice(0, reasons.length)
    .map(({ step }) => step)
}

/** Somebody may have moved the order meanwhile, or closed its period: then nothing is left out. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof DomainError)) throw error
}
