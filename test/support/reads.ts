import type { Database } from '../../src/db/pool.ts'
import type { Statement } from '../../src/db/statement.ts'

/** A step of a plan that was carried out, as `explain (analyze, buffers, format json)` gives it. */
export interface ReadStep {
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly ReadStep[]
}

/** Runs a statement; gives the steps of its plan, the root first. */
export async function stepsOf(db: Pick<Database, 'run'>, { text, values }: Statement<unknown>): Promise<ReadStep[]> {
  const [answer] = await db.run<{ 'QUERY PLAN': readonly { Plan: ReadStep }[] }>({
    text: `explain (analyze, buffers, format json, costs off) ${text}`,
    values,
  })
  const steps = (step: ReadStep): ReadStep[] => [step, ...(step.Plans ?? []).flatMap(steps)]
  const root = answer?.['QUERY PLAN'][0]?.Plan
  return root === undefined ? [] : steps(root)
}

/** The rows that a step has looked at. */
export function rowsRead(step: ReadStep): number {
  return (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops']
}

/** Pages read by the whole statement. Only this shows a walk along an index that skips nearly all entries. */
export function pagesOf([root]: readonly ReadStep[]): number {
  return (root?.['Shared Hit Blocks'] ?? 0) + (root?.['Shared Read Blocks'] ?? 0)
}
