import { readFileSync } from 'node:fs'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Colour, parseColour } from '../../domain/colour.ts'
import { type Look, listLooks, writeBrand } from '../merchants/brand.ts'
import { listPrograms } from '../merchants/programs.ts'
import { addMerchants, type MadeMerchant } from '../merchants/service.ts'

/** The shops that a sandbox begins with. */

interface StoreSeed {
  readonly name: string
  readonly name_ar?: string
  readonly colour: Colour | null
  /** In `logos/`, our own drawings. */
  readonly logo: string
}

const seeds = [
  { name: 'Demo Store', name_ar: 'المتجر التجريبي', colour: null, logo: 'demo-store.png' },
  { name: 'محمصة سدرة', colour: parseColour('#6b3a1c'), logo: 'sidra.png' },
  { name: 'Layan Books', name_ar: 'مكتبة ليان', colour: parseColour('#2b3f86'), logo: 'layan.png' },
] as const satisfies readonly StoreSeed[]

const [first, ...others] = seeds

/** The first shop. `sandbox.env` has its keys. */
export const demo_name = first.name

interface Place {
  readonly program_id: number
  readonly now: Date
}

/** Creates the first shop, verified and published, and gives its keys. */
export function addDemoStore(tx: Transaction, place: Place): Promise<MadeMerchant> {
  return addStore(tx, place, first)
}

/** Creates the other shops. */
export async function addOtherStores(tx: Transaction, place: Place): Promise<void> {
  for (const seed of others) await addStore(tx, place, seed)
}

async function addStore(
  tx: Transaction,
  { program_id, now }: Place,
  { name, name_ar, colour, logo }: StoreSeed,
): Promise<MadeMerchant> {
  const standing = { environment: 'sandbox', verified: true, published: true } as const
  const [merchant] = await addMerchants(tx, { program_id, now, name, ...standing })
  if (merchant === undefined) throw new Error('a demo merchant was not created')
  const file = readFileSync(new URL(`./logos/${logo}`, import.meta.url))
  writeBrand(tx, merchant, { name_ar, colour, logo: file }, now)
  return merchant
}

export type DemoStore = Look

/** Gives the shops that the sandbox began with and still has: one after `--empty`. */
export type ReadDemoStores = () => Promise<readonly DemoStore[]>

/** How far down the list of merchants to look: others may have been made before the first start. */
const searched = 20

export function createReadDemoStores(db: Database): ReadDemoStores {
  return async () => {
    const [program] = await listPrograms(db)
    if (program === undefined) return []
    const looks = await listLooks(db, program.program_id, searched)
    return seeds.flatMap(({ name }) => looks.find((look) => look.name === name) ?? [])
  }
}
