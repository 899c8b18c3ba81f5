import { createHash } from 'node:crypto'
import type { Database } from '../../src/db/pool.ts'
import { setForTables } from '../../src/db/session-settings.ts'
import { prepared, type Statement } from '../../src/db/statement.ts'
import { type Difference, type VerifyOptions, verifyLedger } from '../../src/db/verify.ts'

/** The violations of rules of the ledger. Default: in all programs. */
export async function ledgerDifferences(
  owner: Database,
  { programs, figures = false }: Pick<VerifyOptions, 'programs' | 'figures'> = {},
): Promise<readonly Difference[]> {
  const options = { programs: programs ?? (await programsToVerify(owner)), figures, workers: 8 }
  // A transaction sends its statements without waiting for answers: most of the time was the way to the server and back.
  // Its settings are those of `nuqta ledger verify`: without statistics nested loops took seconds for 700 orders.
  const { differences } = await owner.transaction((tx) => verifyLedger(preparing(tx), options), {
    settings: setForTables,
  })
  return differences
}

/** Runs each statement as a prepared one: planning a check takes longer than running it on the rows of a test. */
function preparing(source: Pick<Database, 'run' | 'one'>): Parameters<typeof verifyLedger>[0] {
  const named = <Row>({ text, values }: Statement<Row>): Statement<Row> =>
    prepared<Row>(createHash('sha256').update(text).digest('hex').slice(0, 32), text)(...values)
  return {
    run: (statement) => source.run('text' in statement ? named(statement) : statement),
    one: (statement) => source.one('text' in statement ? named(statement) : statement),
  }
}

/** Every check but one reads these tables first. */
const verified = ['customer', 'transfer', 'entry', 'hold', 'orders', 'settlement', 'pending_earning']
const inUse = [
  ...verified,
  'checkout_session',
  'order_payment',
  "event where name <> 'test'",
  "account where kind = 'customer'",
]
  .map((rows) => `select program_id from ${rows}`)
  .join(' union ')

/** Programs to verify: those with rows, or all if one may lack its account. */
async function programsToVerify(owner: Database): Promise<number[] | undefined> {
  const countOf = async (rows: string): Promise<number> => {
    const [found] = await owner.run<{ rows: number }>({ text: `select count(*) as rows from ${rows}`, values: [] })
    return found?.rows ?? 0
  }
  const owners = (await countOf('program')) + (await countOf('merchant'))
  if (owners !== (await countOf(`account where kind in ('program', 'merchant')`))) return undefined
  const rows = await owner.run<{ program_id: number }>({ text: inUse, values: [] })
  return rows.map(({ program_id }) => program_id)
}
