/**
 * The text of a statement that lists, in order, the programs for which a condition holds: what background work asks before
 * it goes from program to program. It asks each program's own account for an index probe, whatever the condition's table
 * holds: on a cluster that account is where the program's rows are, and no join of `program` itself would be possible.
 * @param condition a `select` from a table that is spread by `program_id`, of the program `p.program_id`
 */
export function programsWith(condition: string): string {
  return `select p.program_id from account p where p.kind = 'program' and exists (${condition}) order by p.program_id`
}
