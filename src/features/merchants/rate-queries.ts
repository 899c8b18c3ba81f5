import type { Statement } from '../../db/statement.ts'
import type { MicroSarPerPoint } from '../../domain/points.ts'
import { loaded_rates, type Rate } from '../../domain/rates.ts'

/** Gives the SQL for the latest rates of a program as JSON. `program_id` is an expression of the query around it. */
export function ratesOf(program_id: string): string {
  return `(select json_agg(json_build_object('begins_on', r.begins_on, 'micro_sar_per_point', r.micro_sar_per_point)
      order by r.begins_on desc)
    from (select r.begins_on, r.micro_sar_per_point from program_rate r
      where r.program_id = ${program_id} order by r.begins_on desc limit ${loaded_rates}) r)`
}

/** The first rate of a program: entries that record no rate are older than any other. */
export function findFirstRate(program_id: number): Statement<{ readonly micro_sar_per_point: MicroSarPerPoint }> {
  return {
    text: 'select micro_sar_per_point from program_rate where program_id = $1 order by begins_on limit 1',
    values: [program_id],
  }
}

/** Writes the rate of a day, in the place of another one. Lock the program first. */
export function writeRate(program_id: number, { begins_on, micro_sar_per_point }: Rate, now: Date): Statement<never> {
  return {
    text: `insert into program_rate (program_id, begins_on, micro_sar_per_point, created_at) values ($1, $2::date, $3, $4)
      on conflict (program_id, begins_on)
      do update set micro_sar_per_point = excluded.micro_sar_per_point, created_at = excluded.created_at`,
    values: [program_id, begins_on, micro_sar_per_point, now],
  }
}
