import { readFileSync } from 'node:fs'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Colour, parseColour } from '../../domain/colour.ts'
import { type Look, readLook, writeBrand } from '../merchants/brand.ts'
import { type DemoLookRow, findOldestLooks, updateDemoPlace } from '../merchants/brand-queries.ts'
import { listPrograms } from '../merchants/programs.ts'
import { addMerchants, type MadeMerchant } from '../merchants/service.ts'

/** The shops that a sandbox begins with. */

interface StoreSeed {
  /** Kept with the merchant, whose name may change. */
  readonly demo_place: number
  readonly name: string
  readonly name_ar?: string
  readonly colour: Colour | null
  /** In `logos/`, our own drawings. */
  readonly logo: string
}

const seeds = [
  { demo_place: 0, name: 'Demo Store', name_ar: 'المتجر التجريبي', colour: null, logo: 'demo-store.png' },
  { demo_place: 1, name: 'محمصة سدرة', colour: parseColour('#6b3a1c'), logo: 'sidra.png' },
  { demo_place: 2, name: 'Layan Books', name_ar: 'مكتبة ليان', colour: parseColour('#2b3f86'), logo: 'layan.png' },
] as const satisfies readonly StoreSeed[]

const [first, ...others] = seeds

interface Place {
  readonly program_id: number
  readonly now: Date
}

/** Shops of a sample year have places from here on: a sandbox does not begin with them. */
export const first_year_place = 100

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
  { demo_place, name, name_ar, colour, logo }: StoreSeed,
): Promise<MadeMerchant> {
  const standing = { environment: 'sandbox', verified: true, published: true } as const
  const [merchant] = await addMerchants(tx, { program_id, now, name, ...standing })
  if (merchant === undefined) throw new Error('a demo merchant was not created')
  const file = readFileSync(new URL(`./logos/${logo}`, import.meta.url))
  writeBrand(tx, merchant, { name_ar, colour, logo: file }, now)
  void tx.run(updateDemoPlace(merchant, demo_place))
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
    const { program_id } = program
    const shops = placed(await db.run(findOldestLooks(program_id, searched)))
    return Promise.all(shops.map((shop) => readLook(db, { program_id, merchant_id: shop.merchant_id }, shop)))
  }
}

/** The shops of a sandbox, the first one first. */
function placed(merchants: readonly DemoLookRow[]): DemoLookRow[] {
  return merchants
    .filter(({ demo_place }) => demo_place !== null && demo_place < first_year_place)
    .sort((one, other) => Number(one.demo_place) - Number(other.demo_place))
}

/**
 * The first shop of a sandbox, whatever its name is by now; `sandbox.env` has its keys. Gives the shops of a sandbox that an
 * earlier version made their places.
 */
export async function findDemoStore(tx: Transaction, program_id: number): Promise<DemoLookRow | undefined> {
  const merchants = await tx.run(findOldestLooks(program_id, searched))
  const [known] = placed(merchants)
  if (known !== undefined) return known
  const made = madeTogether(merchants) ?? seeds.map(({ name }) => merchants.find((merchant) => merchant.name === name))
  for (const [place, { demo_place }] of seeds.entries()) {
    const shop = made[place]
    if (shop !== undefined) void tx.run(updateDemoPlace({ program_id, merchant_id: shop.merchant_id }, demo_place))
  }
  return made[0]
}

/** The shops of an earlier version, which made them at one instant: their owner may have renamed them since. */
function madeTogether(merchants: readonly DemoLookRow[]): DemoLookRow[] | undefined {
  const groups = Map.groupBy(merchants, ({ created_at }) => created_at.getTime())
  return [...groups.values()].find(({ length }) => length === seeds.length)
}
