import type { CompiledQuery } from 'kysely'
import type { Environment } from '../../config/config.ts'
import { builder } from '../../db/builder.ts'

export interface DeploymentRow {
  readonly environment: Environment
  readonly clock_offset_s: number
}

/** The single row of the deployment; none before its first start. */
export function findDeployment(): CompiledQuery<DeploymentRow> {
  return builder
    .selectFrom('deployment')
    .select(['environment', 'clock_offset_s'])
    .where('singleton', '=', true)
    .$castTo<DeploymentRow>()
    .compile()
}

/** The same row, locked until the transaction ends. It guards what is created once per deployment. */
export function lockDeployment(): CompiledQuery<DeploymentRow> {
  return builder
    .selectFrom('deployment')
    .select(['environment', 'clock_offset_s'])
    .where('singleton', '=', true)
    .forUpdate()
    .$castTo<DeploymentRow>()
    .compile()
}

/** Writes the environment, unless there is one. */
export function insertDeployment(environment: Environment, now: Date): CompiledQuery<unknown> {
  return builder
    .insertInto('deployment')
    .values({ environment, created_at: now })
    .onConflict((conflict) => conflict.column('singleton').doNothing())
    .compile()
}

/** Moves the sandbox's clock. */
export function updateClockOffset(offset_s: number): CompiledQuery<unknown> {
  return builder
    .updateTable('deployment')
    .set({ clock_offset_s: offset_s })
    .where('singleton', '=', true)
    .where('environment', '=', 'sandbox')
    .compile()
}

/** Notes that a backup is complete. */
export function markBackedUp(now: Date): CompiledQuery<unknown> {
  return builder.updateTable('deployment').set({ backed_up_at: now }).where('singleton', '=', true).compile()
}

/** When the last backup by the command was complete. */
export function findBackup(): CompiledQuery<{ readonly backed_up_at: Date | null }> {
  return builder.selectFrom('deployment').select('backed_up_at').where('singleton', '=', true).compile()
}
