import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Statement } from '../../db/statement.ts'
import type { Colour } from '../../domain/colour.ts'
import type { LogoType } from '../../domain/logo.ts'

export interface BrandOwner {
  readonly program_id: number
  readonly merchant_id: number
}

/** The name of a merchant and its colour. */
export function findColour({ program_id, merchant_id }: BrandOwner): CompiledQuery<{
  name: string
  colour: Colour | null
}> {
  return builder
    .selectFrom('merchant')
    .select(['name', 'colour'])
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .$castTo<{ name: string; colour: Colour | null }>()
    .compile()
}

/** The oldest merchants of a program. */
export function findOldestLooks(
  program_id: number,
  limit: number,
): CompiledQuery<{ merchant_id: number; name: string; colour: Colour | null }> {
  return builder
    .selectFrom('merchant')
    .select(['merchant_id', 'name', 'colour'])
    .where('program_id', '=', program_id)
    .orderBy('program_id')
    .orderBy('merchant_id')
    .limit(limit)
    .$castTo<{ merchant_id: number; name: string; colour: Colour | null }>()
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
export function findLogo({ program_id, merchant_id }: BrandOwner): Statement<LogoRow> {
  return {
    text: `select digest, media_type, octet_length(content) as size_bytes from merchant_logo
      where program_id = $1 and merchant_id = $2`,
    values: [program_id, merchant_id],
  }
}

export interface LogoFile {
  readonly media_type: LogoType
  readonly content: Buffer
}

/** The file of a logo, unless the logo was replaced. */
export function findLogoFile({ program_id, merchant_id }: BrandOwner, digest: string): CompiledQuery<LogoFile> {
  return builder
    .selectFrom('merchant_logo')
    .select(['media_type', 'content'])
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .where('digest', '=', digest)
    .$castTo<LogoFile>()
    .compile()
}

/** Sets a merchant's colour, or removes it with null. */
export function updateColour(
  { program_id, merchant_id }: BrandOwner,
  colour: Colour | null,
  now: Date,
): CompiledQuery<unknown> {
  return builder
    .updateTable('merchant')
    .set({ colour, updated_at: now })
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .compile()
}

/** Sets or replaces a merchant's logo. */
export function upsertLogo(
  { program_id, merchant_id }: BrandOwner,
  logo: LogoFile & { readonly digest: string },
  now: Date,
): CompiledQuery<unknown> {
  const { digest, media_type, content } = logo
  return builder
    .insertInto('merchant_logo')
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
export function deleteLogo({ program_id, merchant_id }: BrandOwner): CompiledQuery<unknown> {
  return builder
    .deleteFrom('merchant_logo')
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .compile()
}
