import { createHash } from 'node:crypto'
import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Actor, changedFields } from '../../domain/audit.ts'
import type { Colour } from '../../domain/colour.ts'
import { type LogoRefusal, logo_side_px, max_logo_bytes, max_logo_ratio, recogniseLogo } from '../../domain/logo.ts'
import { CliError } from '../../lib/errors.ts'
import {
  type BrandOwner,
  deleteLogo,
  findColour,
  findLogo,
  findLogoFile,
  findOldestLooks,
  type LogoFile,
  type LogoRow,
  updateColour,
  upsertLogo,
} from './brand-queries.ts'
import { lockMerchant } from './queries.ts'

/** How a merchant's pages look. */
export interface Brand extends BrandOwner {
  readonly name: string
  /** The merchant's choice; `domain/colour.ts` derives the shown colours from it. Null for our own. */
  readonly colour: Colour | null
  readonly logo: LogoRow | null
}

/** A merchant as a page shows it. */
export interface Look extends BrandOwner {
  readonly name: string
  readonly colour: Colour | null
  readonly logo_digest: string | null
}

/** Gives a merchant's brand; null if there is no such merchant. */
export type ReadBrand = (owner: BrandOwner) => Promise<Brand | null>

export function createReadBrand(db: Database): ReadBrand {
  return async (owner) => {
    const { program_id, merchant_id } = owner
    const [merchant, logo] = await Promise.all([db.one(findColour(owner)), db.one(findLogo(owner))])
    return merchant === undefined ? null : { program_id, merchant_id, ...merchant, logo: logo ?? null }
  }
}

/** Gives a merchant's logo by its digest; null if the logo was replaced or removed. */
export type ReadLogo = (owner: BrandOwner, digest: string) => Promise<LogoFile | null>

export function createReadLogo(db: Database): ReadLogo {
  return async (owner, digest) => (await db.one(findLogoFile(owner, digest))) ?? null
}

/** Null removes a field; an undefined field stays. */
export interface BrandChange {
  readonly colour?: Colour | null
  /** The bytes of an image file. */
  readonly logo?: Uint8Array | null
}

/**
 * Changes a merchant's brand in one transaction and gives it.
 * @throws CliError if the file is no valid logo; it says what to do
 */
export async function setBrand(
  db: Database,
  owner: BrandOwner,
  { by, ...change }: BrandChange & { readonly by?: Actor | undefined },
  now: Date,
): Promise<Brand> {
  await db.transaction(async (tx) => {
    void tx.run(lockMerchant(owner))
    const [was, logoBefore] = await Promise.all([tx.one(findColour(owner)), tx.one(findLogo(owner))])
    const logo = writeBrand(tx, owner, change, now)
    const changed = changedFields(
      { colour: was?.colour ?? null, logo: logoBefore?.digest ?? null },
      { colour: change.colour, logo },
    )
    const { program_id, merchant_id } = owner
    audit(tx, by, [{ program_id, action: 'merchant.brand', object: `merchant:${merchant_id}`, ...changed }])
  })
  const brand = await createReadBrand(db)(owner)
  if (brand === null) throw new Error('a merchant has disappeared')
  return brand
}

/**
 * Changes a brand in the caller's transaction. Does not wait.
 * @returns the digest of the new logo, null when it is removed, undefined when it stays
 * @throws CliError if the file is no valid logo
 */
export function writeBrand(
  tx: Transaction,
  owner: BrandOwner,
  { colour, logo }: BrandChange,
  now: Date,
): string | null | undefined {
  const file = logo === undefined || logo === null ? logo : checkLogo(logo)
  if (colour !== undefined) void tx.run(updateColour(owner, colour, now))
  if (file === null) void tx.run(deleteLogo(owner))
  else if (file !== undefined) void tx.run(upsertLogo(owner, file, now))
  return file === null ? null : file?.digest
}

/** The looks of the oldest merchants of a program, without logos' contents. */
export async function listLooks(db: Database, program_id: number, limit: number): Promise<Look[]> {
  const merchants = await db.run(findOldestLooks(program_id, limit))
  return Promise.all(
    merchants.map(async ({ merchant_id, name, colour }) => {
      const logo = await db.one(findLogo({ program_id, merchant_id }))
      return { program_id, merchant_id, name, colour, logo_digest: logo?.digest ?? null }
    }),
  )
}

/** The digest is 128 bits of the SHA-256. The logo's URL contains it, so browsers may cache the logo forever. */
function checkLogo(bytes: Uint8Array): LogoFile & { readonly digest: string } {
  const shape = recogniseLogo(bytes)
  if (typeof shape === 'string') throw new CliError(refusals[shape])
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  return { digest, media_type: shape.media_type, content: Buffer.from(bytes) }
}

const { min, max } = logo_side_px
const kinds = 'PNG, JPEG or WebP'

const refusals: Readonly<Record<LogoRefusal, string>> = {
  empty: 'The logo is an empty file.',
  'too large': `A logo has at most ${max_logo_bytes / 1024} KiB: save it smaller, or as WebP.`,
  svg: `An SVG can hold scripts and is not taken as a logo: save it as ${kinds}.`,
  unknown: `A logo is a ${kinds} file; this one is none of them, whatever its name says.`,
  broken: 'The logo is cut off or damaged: save it again.',
  'too small': `A logo is at least ${min} pixels wide and high.`,
  'too wide': `A logo is at most ${max} pixels wide and high: save it smaller.`,
  'out of shape': `One side of a logo is at most ${max_logo_ratio} times as long as the other.`,
}
