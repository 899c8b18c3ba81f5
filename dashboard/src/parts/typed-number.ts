import { plainAmount } from '../../../src/domain/text.ts'
import type { TextKey } from '../texts/catalogue.ts'
import type { Values } from '../texts/translate.ts'

/** What a field of a number takes. */
export interface NumberBounds {
  /** Decimals; 0 takes whole numbers only. */
  readonly places: number
  readonly least: number
  readonly most: number
}

export interface TypedNumber {
  /** NaN when there is a problem. */
  readonly value: number
  readonly problem?: { readonly text: TextKey; readonly values?: Values }
}

const limits = new Intl.NumberFormat('en', { maximumFractionDigits: 6 })

/** Reads a number as people type it, in any digits and with either kind of separators, or says what is wrong with it. */
export function readNumber(typed: string, { places, least, most }: NumberBounds): TypedNumber {
  const plain = plainAmount(typed)
  if (plain === '') return wrong('common.number_missing')
  const [whole, decimals = ''] = /^\d{1,15}(?:\.(\d*))?$/.exec(plain) ?? []
  if (places === 0 && (whole === undefined || whole.includes('.'))) return wrong('common.number_whole')
  if (whole === undefined) return wrong('common.number_wrong')
  if (decimals.length > places) return wrong('common.number_places', { count: places })
  const value = Number(plain)
  if (value < least) return wrong('common.number_least', { number: limits.format(least) })
  return value > most ? wrong('common.number_most', { number: limits.format(most) }) : { value }
}

function wrong(text: TextKey, values: Values = {}): TypedNumber {
  return { value: Number.NaN, problem: { text, values } }
}
