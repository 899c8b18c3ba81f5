import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import type { Statement } from '../../db/statement.ts'
import type { Colour } from '../../domain/colour.ts'
import type { LogoType } from '../../domain/logo.ts'

/** Whose brand it is. */
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

/** What is known of a merchant's logo without its content. */
export interface LogoRow {
  readonly digest: string
  readonly media_type: LogoType
  readonly size_bytes: number
}

/** Of a statement of its own, so that `merchant`, on every node of a cluster, is not joined with what is spread over them. */
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

/** A logo to be shown, unless it has been replaced since. */
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

/** Sets a merchant's colour, or takes it away. */
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

/** Sets a merchant's logo in place of the one before. */
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

/** Takes a merchant's logo away. */
export function deleteLogo({ program_id, merchant_id }: BrandOwner): CompiledQuery<unknown> {
  return builder
    .deleteFrom('merchant_logo')
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .compile()
}
