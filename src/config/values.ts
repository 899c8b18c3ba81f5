import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import type { SettingName } from './names.ts'
import type { Sources } from './sources.ts'

/** Readers of one kind of value each: text in, a value or a noted mistake out. */

/** A number within bounds, both included. */
export function number(
  sources: Sources,
  name: SettingName,
  standard: number,
  bounds: { readonly min: number; readonly max: number; readonly whole?: boolean },
): number {
  const text = sources.text(name)
  if (text === undefined) return standard
  const value = parseNumber(text, bounds)
  if (value !== undefined) return value
  const kind = bounds.whole ? 'a whole number' : 'a number'
  sources.mistake(name, `must be ${kind} from ${bounds.min} to ${bounds.max}, not ${text}`)
  return standard
}

function parseNumber(text: string, bounds: { min: number; max: number; whole?: boolean }): number | undefined {
  if (!(bounds.whole ? /^\d{1,12}$/ : /^\d{1,12}(\.\d{1,6})?$/).test(text)) return undefined
  const value = Number(text)
  return value >= bounds.min && value <= bounds.max ? value : undefined
}

/** A port to listen on; 0 takes any that is free. */
export function port(sources: Sources, name: SettingName, standard: number): number {
  return number(sources, name, standard, { min: 0, max: 65_535, whole: true })
}

/** One of a few words. */
export function choice<Word extends string>(
  sources: Sources,
  name: SettingName,
  words: readonly Word[],
  standard: Word,
): Word {
  const text = sources.text(name)
  if (text === undefined) return standard
  const word = words.find((one) => one === text)
  if (word === undefined) sources.mistake(name, `must be one of ${words.join(', ')}, not ${text}`)
  return word ?? standard
}

/** `true` or `false`. */
export function yesOrNo(sources: Sources, name: SettingName, standard: boolean): boolean {
  return choice(sources, name, ['true', 'false'], standard ? 'true' : 'false') === 'true'
}

/** Numbers separated by commas, one to `most` of them. */
export function numbers(
  sources: Sources,
  name: SettingName,
  standard: readonly number[],
  bounds: { readonly min: number; readonly max: number; readonly most: number },
): readonly number[] {
  const text = sources.text(name)
  if (text === undefined) return standard
  const values = text.split(',').map((part) => parseNumber(part.trim(), bounds))
  if (values.length <= bounds.most && values.every((value) => value !== undefined)) return values
  sources.mistake(
    name,
    `must be up to ${bounds.most} numbers from ${bounds.min} to ${bounds.max}, separated by commas, not ${text}`,
  )
  return standard
}

/** A URL with one of the `protocols` (`https:`), given without a trailing slash. */
export function url(sources: Sources, name: SettingName, protocols: readonly string[]): string | undefined {
  const text = sources.text(name)
  if (text === undefined) return undefined
  const parsed = URL.parse(text)
  if (parsed !== null && protocols.includes(parsed.protocol) && parsed.hostname !== '') return text.replace(/\/+$/, '')
  const wanted = protocols.map((protocol) => `${protocol}//`).join(' or ')
  return sources.mistake(name, `must be a URL that begins with ${wanted}`)
}

/** What all links begin with: an https URL that nothing but a path may follow. */
export function baseUrl(sources: Sources, name: SettingName): string | undefined {
  const text = url(sources, name, ['https:'])
  if (text === undefined) return undefined
  const { search, hash, username } = new URL(text)
  if (search === '' && hash === '' && username === '' && !/[?#]/.test(text)) return text
  return sources.mistake(name, 'must be a URL without user, query and fragment')
}

/** A PostgreSQL connection string, never shown. */
export function postgresUrl(sources: Sources, name: 'DATABASE_URL' | 'NUQTA_MIGRATION_URL'): string | undefined {
  const text = sources.text(name)
  if (text === undefined) return undefined
  const parsed = URL.parse(text)
  if (parsed !== null && ['postgres:', 'postgresql:'].includes(parsed.protocol)) return text
  return sources.mistake(name, 'must be a connection string like postgresql://user:password@host:5432/database')
}

/** Addresses and CIDR ranges separated by commas. A range of everything is a mistake: it would trust anybody. */
export function addresses(sources: Sources, name: SettingName): readonly string[] {
  const parts = (sources.text(name) ?? '').split(',').map((part) => part.trim())
  const given = parts.filter((part) => part !== '')
  for (const part of given) {
    if (!ipaddr.isValid(part) && !ipaddr.isValidCIDR(part))
      sources.mistake(name, `must list IP addresses and ranges like 10.0.0.7 or 10.0.0.0/24; ${part} is neither`)
    else if (part.endsWith('/0')) sources.mistake(name, `must not trust every address (${part})`)
  }
  return given
}

/** An address or a host name to listen on. */
export function host(sources: Sources, name: SettingName, standard: string): string {
  const text = sources.text(name)
  if (text === undefined) return standard
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.isValid(bare) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(bare)) return bare
  sources.mistake(name, `must be an address or a host name to listen on, not ${text}`)
  return standard
}

/** What stands for every address of this machine: with IPv6 where there is any. */
export function everyAddress(): string {
  const all = Object.values(networkInterfaces()).flat()
  return all.some((one) => one?.family === 'IPv6') ? '::' : '0.0.0.0'
}

/** True when only this machine itself can connect to an address or a host name; brackets are as in a URL. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback'
}
