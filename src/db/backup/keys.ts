import pg from 'pg'
import type { Transaction } from '../transaction.ts'

/** How a constraint or an index is dropped, and how it is made again. */
interface Definition {
  readonly name: string
  readonly drop: string
  readonly make: string
}

/** Keys and indexes that are away while rows are loaded. */
export interface DroppedKeys {
  /** Makes them again, which checks every row. */
  makeAgain(onStep: (name: string) => void): Promise<void>
}

/**
 * Drops the foreign keys, unique keys and indexes of tables. Building an index over all rows is several times faster than
 * adding rows one by one, and so is checking a foreign key.
 */
export async function dropKeys(tx: Transaction, tables: readonly string[]): Promise<DroppedKeys> {
  const foreign = await findConstraints(tx, tables, ['f'])
  const unique = await findConstraints(tx, tables, ['p', 'u'])
  const indexes = await findIndexes(tx, tables)
  // Foreign keys need the unique keys that they refer to.
  for (const { drop } of [...foreign, ...indexes, ...unique]) void tx.script(drop)
  await tx.settled()
  const statistics = referred
    .filter((table) => tables.includes(table))
    .map((table) => ({ name: `${table} statistics`, make: `analyze ${table}` }))
  return {
    async makeAgain(onStep) {
      for (const { name, make } of [...unique, ...indexes, ...statistics, ...foreign]) {
        onStep(name)
        await tx.script(make)
      }
    },
  }
}

/**
 * All entries and orders refer to these tables, and lie in another order. With statistics, PostgreSQL compares them with a
 * hash of the table instead of sorting them or reading them by an index.
 */
const referred = ['account', 'customer']

/** Partitions follow their tables. */
const ours = `c.relnamespace = current_schema()::regnamespace and not c.relispartition and c.relname = any($1::text[])`

interface Found {
  readonly table: string
  readonly name: string
  readonly definition: string
}

async function findConstraints(
  tx: Transaction,
  tables: readonly string[],
  kinds: readonly string[],
): Promise<Definition[]> {
  const found = await tx.run<Found>({
    text: `select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
      from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid
      where ${ours} and k.contype::text = any($2::text[]) order by c.relname, k.conname`,
    values: [tables, kinds],
  })
  return found.map(({ table, name, definition }) => {
    const [on, called] = [pg.escapeIdentifier(table), pg.escapeIdentifier(name)]
    return {
      name,
      drop: `alter table ${on} drop constraint ${called}`,
      make: `alter table ${on} add constraint ${called} ${definition}`,
    }
  })
}

async function findIndexes(tx: Transaction, tables: readonly string[]): Promise<Definition[]> {
  const found = await tx.run<Found>({
    text: `select c.relname as table, i.relname as name, pg_get_indexdef(i.oid) as definition
      from pg_catalog.pg_index x join pg_catalog.pg_class c on c.oid = x.indrelid
      join pg_catalog.pg_class i on i.oid = x.indexrelid
      where ${ours} and not exists (select from pg_catalog.pg_constraint k where k.conindid = i.oid)
      order by c.relname, i.relname`,
    values: [tables],
  })
  return found.map(({ name, definition }) => ({
    name,
    drop: `drop index ${pg.escapeIdentifier(name)}`,
    // With ONLY, the index of a partitioned table would not reach its partitions.
    make: definition.replace(' ON ONLY ', ' ON '),
  }))
}
