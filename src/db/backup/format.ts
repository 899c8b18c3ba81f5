import type { Migration } from '../migrate.ts'

/** How COPY writes and reads rows. */
export type RowFormat = 'text' | 'binary'

const firstBytes = (version: number): Buffer => Buffer.from(`NUQTA BACKUP ${version}\n`)

/** The first bytes of a backup. The number is the version of the format. */
export const magic = firstBytes(2)
/** The versions that can be read. Version 1 differs in its rows only. */
export const readable: readonly { readonly magic: Buffer; readonly format: RowFormat }[] = [
  { magic, format: 'binary' },
  { magic: firstBytes(1), format: 'text' },
]

/** What a backup says of itself, readable without the secret key. */
export interface BackupHeader {
  /** The version of Nuqta that made it. */
  readonly service: string
  readonly environment: string
  /** ISO 8601, just before the snapshot. */
  readonly created_at: string
  /** Hexadecimal; null if nothing was sealed yet. Only the deployment's secret key opens it. */
  readonly secret_canary: string | null
  /** The schema: the migrations that the database had, in order. */
  readonly migrations: readonly AppliedMigration[]
  /** The monthly partitions, by name. */
  readonly months: readonly string[]
}

export interface AppliedMigration extends Pick<Migration, 'name' | 'checksum'> {
  readonly applied_at: string
}

/**
 * The parts of a backup: a header; for each table its name and columns, its rows as a binary COPY writes them, and their
 * number; then the sums. In the file each part has a letter, its length and the CRC-32 of its content in four bytes each,
 * and its content. Rows are compressed.
 */
export type Part =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'table'; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: 'rows'; readonly data: Buffer }
  | { readonly kind: 'table end'; readonly rows: number }
  | { readonly kind: 'end'; readonly tables: number; readonly rows: number }

/** The letters of the parts. `S`, the last, holds the SHA-256 of everything before it. */
export const letters = { header: 'H', table: 'T', rows: 'D', 'table end': 'E', end: 'Z' } as const
export const seal_letter = 'S'

/** The bytes before the content of a part: its letter, its length and its checksum. */
export const prefix_bytes = 9
export const length_at = 1
export const checksum_at = 5
/** The rows of one part, before they are compressed. */
export const chunk_bytes = 1_048_576
/** The largest part, on both sides: a damaged length must not fill the memory. */
export const max_part_bytes = 16 * chunk_bytes
/** Parts that are compressed or expanded at the same time, by threads of their own. */
export const parts_ahead = 4

/** What was written to a backup, or read from it. */
export interface BackupSums {
  readonly tables: number
  readonly rows: number
  readonly bytes: number
  /** Of the whole file, as `sha256sum` prints it. */
  readonly sha256: string
}
