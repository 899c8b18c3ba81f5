import { createHash } from 'node:crypto'
import { audit } from '../../db/audit.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Actor, changedFields, withoutUnchanged } from '../../domain/audit.ts'
import type { Colour } from '../../domain/colour.ts'
import { refuseFields } from '../../domain/failures.ts'
import { recogniseLogo } from '../../domain/logo.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import {
  deleteLogo,
  findLogo,
  findLogoFile,
  findLook,
  type LogoFile,
  type LogoRow,
  type LogoShapeName,
  type LookRow,
  updateLook,
  upsertLogo,
} from './brand-queries.ts'
import { lockMerchant } from './queries.ts'

/** How a merchant's pages look. */
export interface Brand extends MerchantKey {
  readonly name: string
  /** On Arabic pages; null for the same name in both languages. */
  readonly name_ar: string | null
  /** The merchant's choice; `domain/colour.ts` derives the shown colours from it. Null for our own. */
  readonly colour: Colour | null
  /** The square one. */
  readonly logo: LogoRow | null
  readonly wide_logo: LogoRow | null
}

/** A merchant as a page shows it. */
export interface Look extends MerchantKey {
  readonly name: string
  readonly name_ar: string | null
  readonly colour: Colour | null
  readonly logo_digest: string | null
}

/** Gives a merchant's brand; null if there is no such merchant. */
export type ReadBrand = (owner: MerchantKey) => Promise<Brand | null>

export function createReadBrand(db: Queryable): ReadBrand {
  return async (owner) => {
    const { program_id, merchant_id } = owner
    const [look, logos] = await Promise.all([db.one(findLook(owner)), findLogos(db, owner)])
    return look === undefined ? null : { program_id, merchant_id, ...look, ...logos }
  }
}

async function findLogos(db: Queryable, owner: MerchantKey): Promise<Pick<Brand, 'logo' | 'wide_logo'>> {
  const [logo, wide_logo] = await Promise.all([db.one(findLogo(owner, 'square')), db.one(findLogo(owner, 'wide'))])
  return { logo: logo ?? null, wide_logo: wide_logo ?? null }
}

/** Gives a merchant's logo by its digest; null if the logo was replaced or removed. */
export type ReadLogo = (owner: MerchantKey, digest: string) => Promise<LogoFile | null>

export function createReadLogo(db: Database): ReadLogo {
  return async (owner, digest) =>
    (await db.one(findLogoFile(owner, 'square', digest))) ?? (await db.one(findLogoFile(owner, 'wide', digest))) ?? null
}

/** Null removes a field; an undefined field stays. */
export interface BrandChange {
  readonly name?: string | undefined
  readonly name_ar?: string | null | undefined
  readonly colour?: Colour | null | undefined
  /** The bytes of an image file. */
  readonly logo?: Uint8Array | null | undefined
  readonly wide_logo?: Uint8Array | null | undefined
}

interface BrandChanging {
  readonly by?: Actor | undefined
  /** Runs before the change, under the merchant's lock, with the brand as it is. */
  readonly before?: ((was: Brand) => void) | undefined
}

/**
 * Changes a merchant's brand in one transaction and gives it.
 * @throws DomainError `validation` if a file is no valid logo
 */
export async function setBrand(
  db: Database,
  owner: MerchantKey,
  { by, before, ...change }: BrandChange & BrandChanging,
  now: Date,
): Promise<Brand> {
  await db.transaction(async (tx) => {
    void tx.run(lockMerchant(owner))
    const was = await createReadBrand(tx)(owner)
    if (was === null) throw new Error('a merchant has disappeared')
    before?.(was)
    const { name, name_ar, colour } = change
    const digests = writeBrand(tx, owner, change, now)
    const changed = changedFields(
      { ...was, logo: was.logo?.digest ?? null, wide_logo: was.wide_logo?.digest ?? null },
      { name, name_ar, colour, ...digests },
    )
    const { program_id, merchant_id } = owner
    audit(
      tx,
      by,
      withoutUnchanged([{ program_id, action: 'merchant.brand', object: `merchant:${merchant_id}`, ...changed }]),
    )
  })
  const brand = await createReadBrand(db)(owner)
  if (brand === null) throw new Error('a merchant has disappeared')
  return brand
}

type Digest = string | null | undefined

/**
 * Changes a brand in the caller's transaction. Does not wait.
 * @returns the digests of new logos, null for removed ones, undefined for those that stay
 * @throws DomainError `validation` if a file is no valid logo
 */
export function writeBrand(
  tx: Transaction,
  owner: MerchantKey,
  { name, name_ar, colour, logo, wide_logo }: BrandChange,
  now: Date,
): { readonly logo: Digest; readonly wide_logo: Digest } {
  const files = { logo: checked(logo, 'logo'), wide_logo: checked(wide_logo, 'wide_logo') }
  if ([name, name_ar, colour].some((value) => value !== undefined))
    void tx.run(updateLook(owner, { name, name_ar, colour }, now))
  return {
    logo: writeLogo(tx, owner, { shape: 'square', file: files.logo, now }),
    wide_logo: writeLogo(tx, owner, { shape: 'wide', file: files.wide_logo, now }),
  }
}

function writeLogo(
  tx: Transaction,
  owner: MerchantKey,
  {
    shape,
    file,
    now,
  }: { readonly shape: LogoShapeName; readonly file: CheckedLogo | null | undefined; readonly now: Date },
): Digest {
  if (file === null) void tx.run(deleteLogo(owner, shape))
  else if (file !== undefined) void tx.run(upsertLogo(owner, shape, { ...file, now }))
  return file === null ? null : file?.digest
}

/** Gives the look of a merchant without the content of its logo. */
export async function readLook(db: Queryable, { program_id, merchant_id }: MerchantKey, row: LookRow): Promise<Look> {
  const { name, name_ar, colour } = row
  const logo = await db.one(findLogo({ program_id, merchant_id }, 'square'))
  return { program_id, merchant_id, name, name_ar, colour, logo_digest: logo?.digest ?? null }
}

type CheckedLogo = LogoFile & { readonly digest: string }

/** The digest is 128 bits of the SHA-256. The logo's URL contains it, so browsers may cache the logo forever. */
function checked(bytes: Uint8Array | null | undefined, field: string): CheckedLogo | null | undefined {
  if (bytes === null || bytes === undefined) return bytes
  const shape = recogniseLogo(bytes)
  if (typeof shape === 'string') return refuseFields({ field, rule: `logo_${shape}` })
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  return { digest, media_type: shape.media_type, content: Buffer.from(bytes) }
}
