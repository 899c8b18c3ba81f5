import type { Static } from 'typebox'
import { type Halalas, parseSar, toSar } from '../../domain/money.ts'
import type { productLine as productLineSchema } from './fields.ts'

/** From checked fields of a body to what stories take. */

/** An amount that the field's bounds have let pass. */
export function halalas(amount_sar: number): Halalas {
  const parsed = parseSar(amount_sar)
  if (parsed === null) throw new TypeError('a checked amount is not one')
  return parsed
}

export function optionalHalalas(amount_sar: number | undefined): Halalas | null {
  return amount_sar === undefined ? null : halalas(amount_sar)
}

/** The JSON text of an object or a list, as it is stored. */
export function jsonText(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

type ProductLine = Static<typeof productLineSchema>

/** Prices are money: at most two decimals, like every other amount. */
export function productLine(line: ProductLine): ProductLine {
  return { ...line, product_price: toSar(halalas(line.product_price)) }
}
