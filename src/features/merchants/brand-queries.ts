import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Statement } from '../../db/statement.ts'
import type { Colour } from '../../domain/colour.ts'
import type { LogoType } from '../../domain/logo.ts'
import type { MerchantKey } from '../../domain/merchant.ts'

/** Which of a merchant's two logos. The header of a checkout shows the wide one, everything else the square one. */
export type LogoShapeName = 'square' | 'wide'

const logoTables = { square: 'merchant_logo', wide: 'merchant_wide_logo' } as const

export interface LookRow {
  readonly name: string
  readonly name_ar: string | null
  readonly colour: Colour | null
}

/** The names of a merchant and its colour. */
export function findLook({ program_id, merchant_id }: MerchantKey): CompiledQuery<LookRow> {
  return builder
    .selectFrom('merchant')
    .select(['name', 'name_ar', 'colour'])
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .$castTo<LookRow>()
    .compile()
}

export interface DemoLookRow extends LookRow {
  readonly merchant_id: number
  readonly created_at: Date
  /** Null for a merchant that is no shop of the sandbox. */
  readonly demo_place: number | null
}

/** The oldest merchants of a program. */
export function findOldestLooks(program_id: number, limit: number): CompiledQuery<DemoLookRow> {
  return builder
    .selectFrom('merchant')
    .select(['merchant_id', 'name', 'name_ar', 'colour', 'created_at', 'demo_place'])
    .where('program_id', '=', program_id)
    .orderBy('program_id')
    .orderBy('merchant_id')
    .limit(limit)
    .$castTo<DemoLookRow>()
    .compile()
}

/** Gives a merchant its place among the shops that a sandbox begins with. */
export function updateDemoPlace({ program_id, merchant_id }: MerchantKey, place: number): CompiledQuery<unknown> {
  return builder
    .updateTable('merchant')
    .set({ demo_place: place })
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .compile()
}

/** A merchant's logo without its content. */
export interface LogoRow {
  readonly digest: string
  readonly media_type: LogoType
  readonly size_bytes: number
}

/**
 * A merchant's logo. A separate statement, because a cluster should not join the reference table `merchant` with a
 * distributed one.
 */
export function findLogo({ program_id, merchant_id }: MerchantKey, shape: LogoShapeName): Statement<LogoRow> {
  return {
    text: `select digest, media_type, octet_length(content) as size_bytes from ${logoTables[shape]}
      where program_id = $1 and merchant_id = $2`,
    values: [program_id, merchant_id],
  }
}

export interface LogoFile {
  readonly media_type: LogoType
  readonly content: Buffer
}

/** The file of a logo, unless the logo was replaced. */
export function findLogoFile(
  { program_id, merchant_id }: MerchantKey,
  shape: LogoShapeName,
  digest: string,
): CompiledQuery<LogoFile> {
  return builder
    .selectFrom(logoTables[shape])
    .select(['media_type', 'content'])
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .where('digest', '=', digest)
    .$castTo<LogoFile>()
    .compile()
}

/** Sets a merchant's names and colour; undefined fields stay. */
export function updateLook(
  { program_id, merchant_id }: MerchantKey,
  look: { readonly [Name in keyof LookRow]?: LookRow[Name] | undefined },
  now: Date,
): CompiledQuery<unknown> {
  return builder
    .updateTable('merchant')
    .set({ ...look, updated_at: now })
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .compile()
}

/** Sets or replaces a merchant's logo. */
export function upsertLogo(
  { program_id, merchant_id }: MerchantKey,
  shape: LogoShapeName,
  logo: LogoFile & { readonly digest: string; readonly now: Date },
): CompiledQuery<unknown> {
  const { digest, media_type, content, now } = logo
  return builder
    .insertInto(logoTables[shape])
    .values({ program_id, merchant_id, digest, media_type, content, created_at: now })
    .onConflict((conflict) =>
      conflict.columns(['program_id', 'merchant_id']).doUpdateSet((values) => ({
        digest: values.ref('excluded.digest'),
        media_type: values.ref('excluded.media_type'),
        content: values.ref('excluded.content'),
        created_at: values.ref('excluded.created_at'),
      })),
    )
    .compile()
}

/** Removes a merchant's logo. */
export function deleteLogo({ program_id, merchant_id }: MerchantKey, shape: LogoShapeName): CompiledQuery<unknown> {
  return builder
    .deleteFrom(logoTables[shape])
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .compile()
}
