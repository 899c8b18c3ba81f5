import type { Translate } from '../../texts/translate.ts'

/** The states of an order, in the order in which they come. */
export const orderStates = [
  'new',
  'authorized',
  'approved',
  'captured',
  'partially_refunded',
  'fully_refunded',
  'cancelled',
] as const

export type OrderState = (typeof orderStates)[number]

export function stateText(t: Translate, state: OrderState): string {
  return state === 'fully_refunded' ? t('common.status_refunded') : t(`common.status_${state}`)
}
