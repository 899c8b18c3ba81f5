import type { ReactNode } from 'react'
import type { Locale } from '../../../src/domain/locale.ts'
import type { Catalogue, Entry, TextKey } from './catalogue.ts'

/** What stands for `{name}` in a text. Numbers are written with separators; `count` also chooses the plural form. */
export type Values = Readonly<Record<string, string | number>>

export interface Translate {
  (key: TextKey, values?: Values): string
  /** The same, with elements in place of names. */
  rich: (key: TextKey, values: Readonly<Record<string, ReactNode>>) => ReactNode
}

const placeholder = /\{(\w+)\}/

/** Makes `t`: gives the text of a key in one language. */
export function translatorOf(locale: Locale, catalogue: Catalogue): Translate {
  const plurals = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat('en')
  const textOf = (key: TextKey, count: unknown): string => {
    const entry = catalogue.get(key)
    if (entry === undefined) throw new Error(`no text is named ${key}`)
    return typeof entry === 'string' ? entry : formOf(entry, plurals, count, key)
  }
  const translate = (key: TextKey, values: Values = {}): string =>
    textOf(key, values['count']).replaceAll(new RegExp(placeholder, 'g'), (whole, name: string) => {
      const value = values[name]
      return typeof value === 'number' ? numbers.format(value) : (value ?? whole)
    })
  const rich = (key: TextKey, values: Readonly<Record<string, ReactNode>>): ReactNode =>
    textOf(key, values['count'])
      .split(placeholder)
      .map((part, index) => (index % 2 === 0 ? part : values[part]))
  return Object.assign(translate, { rich })
}

function formOf(entry: Exclude<Entry, string>, plurals: Intl.PluralRules, count: unknown, key: string): string {
  if (typeof count !== 'number') throw new Error(`${key} needs the number \`count\``)
  const form = entry[plurals.select(Math.abs(count))] ?? entry.other
  if (form === undefined) throw new Error(`${key} has no form for ${count}`)
  return form
}
