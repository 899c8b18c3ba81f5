import { InvalidArgumentError, Option } from 'commander'
import { max_return_hosts, parseReturnHost } from '../domain/checkout-request.ts'
import { type Day, parseDay } from '../domain/day.ts'
import { parsePercent } from '../domain/fees.ts'
import { max_merchant_name } from '../domain/merchant.ts'
import { max_operator_characters, readOperatorText } from '../domain/operator.ts'
import {
  asPoints,
  type MicroSarPerPoint,
  type Points,
  type PointsPerSarE4,
  parsePointsPerSar,
  parseSarPerPoint,
} from '../domain/points.ts'
import { isOneLine } from '../domain/text.ts'

/** Parsers of command-line values. A value that they reject is wrong use (exit 2). */

const max_actor = 100

/** Who makes a change. */
export function actorName(text: string): string {
  const name = text.trim()
  if (name !== '' && name.length <= max_actor && isOneLine(name)) return name
  throw new InvalidArgumentError(`It must be a name of up to ${max_actor} characters.`)
}

/** The name of a file. An empty one would be that of the working folder: a variable of a script was not set. */
export function fileName(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('It must be the name of a file.')
}

/** Why somebody makes a change. */
export function reasonText(max: number): (text: string) => string {
  return (text) => {
    const reason = text.trim()
    if (reason !== '' && reason.length <= max) return reason
    throw new InvalidArgumentError(`It takes 1 to ${max} characters.`)
  }
}

/** A whole number within bounds. */
export function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}

export function points(text: string): Points {
  return asPoints(whole(0, 1_000_000_000)(text))
}

export function pointsPerSar(text: string): PointsPerSarE4 {
  const rate = parsePointsPerSar(text)
  if (rate === null) throw new InvalidArgumentError('It must be a number from 0 to 100000, with up to four decimals.')
  return rate
}

export function sarPerPoint(text: string): MicroSarPerPoint {
  const value = parseSarPerPoint(text)
  if (value === null)
    throw new InvalidArgumentError('It must be a number from 0.0001 to 1000, with up to six decimals.')
  return value
}

/** A percentage, in hundredths of a percent. */
export function percent(text: string): number {
  const bp = parsePercent(text)
  if (bp === null) throw new InvalidArgumentError('It must be a percentage from 0 to 100, with up to two decimals.')
  return bp
}

/** A whole number, or `off`, which gives -1: commander takes no null. */
export function wholeOrOff(min: number, max: number): (text: string) => number {
  return (text) => (text.trim() === 'off' ? -1 : whole(min, max)(text))
}

/** A name or a contact of an operator; `none` gives an empty text, which removes it: commander takes no null. */
export function operatorText(text: string): string {
  if (text.trim() === 'none') return ''
  const line = readOperatorText(text)
  if (line === null)
    throw new InvalidArgumentError(`It must be one line of up to ${max_operator_characters} characters.`)
  return line
}

/** The name of a merchant on Arabic pages; `none` gives an empty text, which removes it. */
export function arabicName(text: string): string {
  const name = text.trim()
  if (name === 'none') return ''
  if (name !== '' && [...name].length <= max_merchant_name && isOneLine(name)) return name
  throw new InvalidArgumentError(`It must be a name of up to ${max_merchant_name} characters.`)
}

/** An option that is `on` or `off`. */
export function onOff(flags: string, description: string): Option {
  return new Option(`${flags} <on|off>`, description).choices(['on', 'off'])
}

/** True for `on`, false for `off`, undefined when not given. */
export function isOn(value: 'on' | 'off' | undefined): boolean | undefined {
  return value === undefined ? undefined : value === 'on'
}

const unit_s = { d: 86_400, h: 3_600, m: 60, s: 1 }

/** A duration like `45d`, `2h`, `10m`, `30s` or `1d12h`, in seconds. */
export function duration(text: string): number {
  if (!/^(\d{1,9}[dhms])+$/.test(text))
    throw new InvalidArgumentError('It must be a duration like 45d, 2h, 10m or 30s.')
  const parts = text.match(/\d+[dhms]/g) ?? []
  return parts.reduce((sum, part) => sum + Number.parseInt(part, 10) * unit_s[part.slice(-1) as keyof typeof unit_s], 0)
}

/** A day in Riyadh, such as 2027-01-31. */
export function day(text: string): Day {
  const read = parseDay(text)
  if (read === null) throw new InvalidArgumentError('It must be a day like 2027-01-31.')
  return read
}

/** An instant in milliseconds: ISO 8601 with a zone, or a date, which starts at midnight UTC. */
export function instant(text: string): number {
  const shape = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/
  // `Date` takes 30 February for a day of March.
  const day = parseDay(shape.exec(text)?.[1] ?? '')
  const at_ms = day === null ? Number.NaN : Date.parse(text)
  if (Number.isNaN(at_ms))
    throw new InvalidArgumentError(
      'It must be an instant like 2027-01-31, 2027-01-31T09:00:00Z or 2027-01-31T12:00+03:00.',
    )
  return at_ms
}

/** Adds a host that checkouts may return to; `before` holds the hosts of earlier flags. */
export function returnHosts(text: string, before: unknown): readonly string[] {
  const host = parseReturnHost(text)
  if (host === null)
    throw new InvalidArgumentError(
      'It must be a host, such as shop.example or shop.example:8443, without scheme and path.',
    )
  const hosts = [...new Set([...(Array.isArray(before) ? before : []), host])]
  if (hosts.length > max_return_hosts) throw new InvalidArgumentError(`There can be at most ${max_return_hosts} hosts.`)
  return hosts
}
