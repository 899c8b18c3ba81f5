import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { isOneLine } from '../domain/text.ts'
import { bareHost } from '../lib/host.ts'

/** How the text of a setting becomes a value. */
export interface ValueType<T> {
  /** The form of the text, for `docs/settings.md`. */
  readonly description: string
  readonly unit?: string
  /**
   * Takes the trimmed text. Reports what is wrong with it in words that go on after the setting's name, and gives
   * undefined when there is no usable value.
   */
  readonly parse: (text: string, report: (mistake: string) => void) => T | undefined
}

interface Bounds {
  readonly min: number
  readonly max: number
  readonly whole?: boolean
}

/** Any text. */
export function text(description = 'text'): ValueType<string> {
  return { description, parse: (value) => value }
}

/** A text on one line, of at most `max` characters. */
export function line(max: number): ValueType<string> {
  return {
    description: `one line of up to ${max} characters`,
    parse(value, report) {
      if ([...value].length <= max && isOneLine(value)) return value
      report(`must be one line of up to ${max} characters`)
      return undefined
    },
  }
}

/**
 * A key that goes into the header of a request: HTTP takes no other characters there. It is a secret, so the mistake does
 * not repeat it.
 */
export const key: ValueType<string> = {
  description: 'one line of ASCII characters',
  parse(given, report) {
    if (/^[\x20-\x7e]+$/.test(given)) return given
    report('must be one line of ASCII characters')
    return undefined
  },
}

/** A number within bounds, both included. */
export function number(bounds: Bounds, unit?: string): ValueType<number> {
  const kind = bounds.whole ? 'a whole number' : 'a number'
  return {
    description: `${bounds.whole ? 'whole number' : 'number'} from ${bounds.min} to ${bounds.max}`,
    ...(unit === undefined ? {} : { unit }),
    parse(given, report) {
      const value = parseNumber(given, bounds)
      if (value === undefined) report(`must be ${kind} from ${bounds.min} to ${bounds.max}, not ${given}`)
      return value
    },
  }
}

function parseNumber(given: string, { min, max, whole }: Bounds): number | undefined {
  if (!(whole ? /^\d{1,12}$/ : /^\d{1,12}(\.\d{1,6})?$/).test(given)) return undefined
  const value = Number(given)
  return value >= min && value <= max ? value : undefined
}

/** One to `most` numbers separated by commas. */
export function numbers(bounds: Bounds & { readonly most: number }, unit: string): ValueType<readonly number[]> {
  const { min, max, most } = bounds
  return {
    description: `up to ${most} numbers from ${min} to ${max}, separated by commas`,
    unit,
    parse(given, report) {
      const values = given.split(',').map((part) => parseNumber(part.trim(), bounds))
      if (values.length <= most && values.every((value) => value !== undefined)) return values
      report(`must be up to ${most} numbers from ${min} to ${max}, separated by commas, not ${given}`)
      return undefined
    },
  }
}

/** A port to listen on; 0 takes any free one. */
export const port: ValueType<number> = number({ min: 0, max: 65_535, whole: true })

/** One of a few words. */
export function choice<const Word extends string>(words: readonly Word[]): ValueType<Word> {
  return {
    description: words.map((word) => `\`${word}\``).join(', '),
    parse(given, report) {
      const word = words.find((one) => one === given)
      if (word === undefined) report(`must be one of ${words.join(', ')}, not ${given}`)
      return word
    },
  }
}

const trueOrFalse = choice(['true', 'false'])

export const boolean: ValueType<boolean> = {
  description: trueOrFalse.description,
  parse(given, report) {
    const word = trueOrFalse.parse(given, report)
    return word && word === 'true'
  },
}

/** A URL with one of the `protocols` (`https:`); trailing slashes are removed. */
export function url(protocols: readonly string[]): ValueType<string> {
  const wanted = protocols.map((protocol) => `${protocol}//`).join(' or ')
  return {
    description: `URL that begins with ${wanted}`,
    parse(given, report) {
      const parsed = URL.parse(given)
      if (parsed !== null && protocols.includes(parsed.protocol) && parsed.hostname !== '')
        return given.replace(/\/+$/, '')
      report(`must be a URL that begins with ${wanted}`)
      return undefined
    },
  }
}

/** The beginning of other URLs: only a path may follow the host. */
export function baseUrl(protocols: readonly string[]): ValueType<string> {
  const whole = url(protocols)
  return {
    description: `${whole.description}, without user, query and fragment`,
    parse(given, report) {
      const base = whole.parse(given, report)
      if (base === undefined) return undefined
      const { search, hash, username, password } = new URL(base)
      if (search === '' && hash === '' && username === '' && password === '' && !/[?#]/.test(base)) return base
      report('must be a URL without user, query and fragment')
      return undefined
    },
  }
}

/** Ways of TLS that the driver takes for `verify-full` today, with a warning; its next major version will not. */
const verified = ['prefer', 'require', 'verify-ca', 'verify-full']
const unverified = ['disable', 'no-verify']

/** A PostgreSQL connection string. It holds a password, so the mistake does not repeat it. */
export const postgresUrl: ValueType<string> = {
  description: 'connection string',
  parse(given, report) {
    const parsed = URL.parse(given)
    if (parsed === null || !['postgres:', 'postgresql:'].includes(parsed.protocol)) {
      report(
        'must be a connection string like postgresql://user:password@host:5432/database, with %23 for a # in the password, %2F for a / and %3F for a ?',
      )
      return undefined
    }
    // Who asks for the ways of libpq knows them.
    if (parsed.searchParams.has('uselibpqcompat')) return given
    if (parsed.searchParams.getAll('sslmode').every((mode) => [...verified, ...unverified].includes(mode)))
      return given.replaceAll(new RegExp(`([?&]sslmode=)(${verified.join('|')})`, 'g'), '$1verify-full')
    report('must have verify-full as its sslmode, or disable to use no TLS')
    return undefined
  },
}

/** IP addresses and CIDR ranges separated by commas. A range of every address would trust anybody. */
export const addresses: ValueType<readonly string[]> = {
  description: 'IP addresses and ranges, separated by commas',
  parse(given, report) {
    const parts = given.split(',').map((part) => part.trim())
    const listed = parts.filter((part) => part !== '')
    for (const part of listed) {
      if (!isAddress(part) && !isRange(part))
        report(`must list IP addresses and ranges like 10.0.0.7 or 10.0.0.0/24; ${part} is neither`)
      else if (part.endsWith('/0')) report(`must not trust every address (${part})`)
    }
    return listed
  },
}

/** As people write them: `10` and `010.0.0.1` are addresses too, but not those that were meant. */
function isAddress(part: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(part) || ipaddr.IPv6.isValid(part)
}

function isRange(part: string): boolean {
  return ipaddr.isValidCIDR(part) && isAddress(part.replace(/\/.*$/, ''))
}

/** A name may not end in a number, which would be half an address: `0` is 0.0.0.0, and `127.1` is 127.0.0.1. */
function isHostName(name: string): boolean {
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(name) && !/(^|\.)(\d+|0x[0-9a-f]*)$/i.test(name)
}

/** An address or a host name to listen on. */
export const host: ValueType<string> = {
  description: 'address or host name',
  parse(given, report) {
    const bare = bareHost(given)
    if (isAddress(bare) || isHostName(bare)) return bare
    report(`must be an address or a host name to listen on, not ${given}`)
    return undefined
  },
}

/** The address that stands for all addresses of this machine: the IPv6 one where the machine has IPv6. */
export function everyAddress(): string {
  const all = Object.values(networkInterfaces()).flat()
  return all.some((one) => one?.family === 'IPv6') ? '::' : '0.0.0.0'
}

/** True when only this machine can connect to an address or a host name. IPv6 may be in brackets, as in a URL. */
export function isLoopback(hostname: string): boolean {
  const bare = bareHost(hostname).toLowerCase()
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback'
}
