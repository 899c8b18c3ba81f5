import { programsWith } from '../../db/programs.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'

/** What the job does next before it goes on with new events: it builds the next generation, or deletes the last one. */
export type BuildStep = 'orders' | 'refunds' | 'old figures'

/** How far the job has come in a program. */
export interface Progress {
  /** The figures that pages show; the next one is built beside it. 0 before there are any. */
  readonly generation: number
  /** The events and refunds with lower ids are in the figures, or are in the ones being built. */
  readonly counted_to: Uuid
  readonly building: boolean
  readonly build_step: BuildStep | null
  /** The last row of the step. */
  readonly build_after: Uuid | null
}

/** Programs without a row of their own yet. */
export const findNewPrograms = prepared<{ program_id: number }>(
  'activity.new_programs',
  `select p.program_id from account p where p.kind = 'program'
     and not exists (select from activity_program a where a.program_id = p.program_id) order by p.program_id`,
)

/** Programs with events up to `$1` to add, a build to go on with, windows up to `$2` to count again, or counted beyond `$3`. */
export const findPrograms = prepared<{ program_id: number }>(
  'activity.programs',
  programsWith(`select from activity_program a where a.program_id = p.program_id and (
    a.build_step is not null or a.counted_to > $3
    or exists (select from event e where e.program_id = a.program_id and e.event_id >= a.counted_to and e.event_id < $1)
    or exists (select from activity_window w where w.program_id = a.program_id and w.to_id <= $2))`),
)

const insertProgressText = prepared<never>(
  'activity.begin',
  `insert into activity_program (program_id, generation, counted_to, building, build_step, build_after, created_at, updated_at)
   values ($1, 0, $2, true, 'orders', $3, $4, $4) on conflict (program_id) do nothing`,
)

/** Begins with a program: its first figures are to be built, of everything before `cut`. */
export function insertProgress(program_id: number, cut: Uuid, first: Uuid, now: Date): Statement<never> {
  return insertProgressText(program_id, cut, first, now)
}

/** Locks a program's progress until the transaction ends. Gives nothing if another worker has it. */
export const lockProgress = prepared<Progress>(
  'activity.lock',
  `select generation, counted_to, building, build_step, build_after from activity_program
   where program_id = $1 for no key update skip locked`,
)

const updateProgressText = prepared<never>(
  'activity.progress',
  `update activity_program set generation = $2, counted_to = $3, building = $4, build_step = $5, build_after = $6,
     updated_at = $7 where program_id = $1`,
)

/** Writes a program's progress, which the caller has locked. */
export function updateProgress(program_id: number, progress: Progress, now: Date): Statement<never> {
  const { generation, counted_to, building, build_step, build_after } = progress
  return updateProgressText(program_id, generation, counted_to, building, build_step, build_after, now)
}

export interface Window {
  readonly from_id: Uuid
  readonly to_id: Uuid
  /** Events and refunds that were found when they were added. */
  readonly counted: number
}

const insertWindowText = prepared<never>(
  'activity.window',
  'insert into activity_window (program_id, from_id, to_id, counted) values ($1, $2, $3, $4)',
)

export function insertWindow(program_id: number, { from_id, to_id, counted }: Window): Statement<never> {
  return insertWindowText(program_id, from_id, to_id, counted)
}

/** The oldest windows up to `$2`, with how many events and refunds are in them by now. */
export const recountWindows = prepared<Window & { readonly found: number }>(
  'activity.recount',
  `select w.from_id, w.to_id, w.counted,
     (select count(*) from event e where e.program_id = $1 and e.event_id >= w.from_id and e.event_id < w.to_id
       and (e.program_id, e.event_id) >= ($1, w.from_id))
     + (select count(*) from order_refund r where r.program_id = $1 and r.refund_uuid >= w.from_id and r.refund_uuid < w.to_id
       and (r.program_id, r.refund_uuid) >= ($1, w.from_id))
     as found
   from activity_window w where w.program_id = $1 and w.to_id <= $2 order by w.from_id limit 100`,
)

/** Deletes the windows up to `$2`. */
export const deleteWindows = prepared<never>(
  'activity.delete_windows',
  'delete from activity_window where program_id = $1 and from_id <= $2',
)
