/** A JSON number that may have more digits than a JavaScript number can hold. */
export type ExactNumber = number | { readonly rawJSON: string }

type Revive = (key: string, value: unknown, context: { readonly source?: string }) => unknown

const { rawJSON: raw, parse } = JSON as unknown as {
  rawJSON(text: string): { readonly rawJSON: string }
  parse(text: string, revive: Revive): unknown
}

/** Takes units of 10^-`places`; gives a JSON number: a plain one where it is exact, else the raw digits. */
export function exactNumber(units: bigint, places: number): ExactNumber {
  const magnitude = units < 0n ? -units : units
  const digits = String(magnitude).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = places === 0 ? '' : digits.slice(-places).replace(/0+$/, '')
  const text = `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
  return String(Number(text)) === text ? Number(text) : raw(text)
}

/** Takes a row and the names of its sums, which are texts because they may exceed 2^53; gives these as bigints. */
export function bigintsOf<Name extends string>(
  row: Readonly<Record<Name, string>>,
  names: readonly Name[],
): Readonly<Record<Name, bigint>> {
  return Object.fromEntries(names.map((name) => [name, BigInt(row[name])])) as Record<Name, bigint>
}

/** Like `JSON.parse`, for JSON of our own: a number that no JavaScript number holds becomes its raw digits. */
export function parseExactJson(text: string): unknown {
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? raw(source) : value,
  )
}
