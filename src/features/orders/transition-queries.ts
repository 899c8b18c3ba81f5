import { prepared, type Statement } from '../../db/statement.ts'
import type { HoldOutcome } from '../../domain/hold.ts'
import type { Uuid } from '../../domain/ids.ts'

/** A hold with the transfers that made and ended it. */
export interface HoldRow extends HoldOutcome {
  readonly program_id: number
  readonly order_uuid: Uuid
  readonly account_id: Uuid
  readonly hold_transfer_id: Uuid | undefined
  readonly end_transfer_id: Uuid | undefined
}

const insertHoldText = prepared<never>(
  'transitions.new_hold',
  `insert into hold
     (program_id, hold_id, order_uuid, account_id, points, state, hold_transfer_id, end_transfer_id, created_at, ended_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)

const endHoldText = prepared<never>(
  'transitions.end_hold',
  `update hold set state = $3, end_transfer_id = $4, ended_at = $5
   where program_id = $1 and hold_id = $2 and state = $6 and (program_id, hold_id) >= ($1, $2)`,
)

/** Writes what became of a hold: a new one, open or ended at once, or the end of one that was open. */
export function writeHold(hold: HoldRow, now: Date): Statement<never> {
  const { program_id, hold_id, state, end_transfer_id = null } = hold
  if (!hold.made) return endHoldText(program_id, hold_id, state, end_transfer_id, now, 'open')
  const begin = [hold.order_uuid, hold.account_id, hold.points, state, hold.hold_transfer_id]
  return insertHoldText(program_id, hold_id, ...begin, end_transfer_id, now, state === 'open' ? null : now)
}
