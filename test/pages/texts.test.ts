import { describe, expect, it } from 'vitest'
import { readTree } from '../support/tree.ts'

type Entry = string | Readonly<Record<string, string>>
type Area = Readonly<Record<string, Readonly<Record<string, Entry>>>>

const locales = ['en', 'ar'] as const

/** Every entry of a language, as `area.group.key`. */
const entriesOf = (locale: string): ReadonlyMap<string, Entry> =>
  new Map(
    readTree(`src/pages/texts/${locale}/*.json`).flatMap(({ path, text }) => {
      const area = path.replace(/^.*\/|\.json$/g, '')
      return Object.entries(JSON.parse(text) as Area).flatMap(([group, entries]) =>
        Object.entries(entries).map(([key, entry]) => [`${area}.${group}.${key}`, entry] as const),
      )
    }),
  )
const entries = { en: entriesOf('en'), ar: entriesOf('ar') }
const forms = (entry: Entry): string[] => (typeof entry === 'string' ? [entry] : Object.values(entry))
const namesIn = (entry: Entry): string[] =>
  [...new Set(forms(entry).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)))].sort()

describe('the texts of the pages', () => {
  it('are the same keys with the same values in both languages, and none is empty', () => {
    expect(entries.en.size).toBeGreaterThan(250)
    expect([...entries.ar.keys()]).toEqual([...entries.en.keys()])
    for (const [key, entry] of entries.en) {
      const arabic = entries.ar.get(key) ?? ''
      expect([key, namesIn(arabic)]).toEqual([key, namesIn(entry)])
      for (const text of [...forms(entry), ...forms(arabic)]) expect([key, text.trim()]).not.toEqual([key, ''])
    }
  })

  it('have every plural form of their language', () => {
    for (const locale of locales) {
      const needed = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted()
      for (const [key, entry] of entries[locale])
        if (typeof entry !== 'string') expect([key, Object.keys(entry).sort()]).toEqual([key, needed])
    }
  })

  it('are all shown somewhere', () => {
    const code = readTree('src/**/*.ts').map(({ text }) => text)
    const named = new Set(code.flatMap((text) => [...text.matchAll(/\b[A-Za-z_]\w*\b/g)].map(([word]) => word)))
    const ends = code.flatMap((text) => [...text.matchAll(/\$\{\w+\}([A-Za-z]+)`/g)].map(([, end = '']) => end))
    const isUsed = (key: string) => named.has(key) || ends.some((end) => key.endsWith(end))
    expect([...entries.en.keys()].filter((key) => !isUsed(key.split('.').at(-1) ?? ''))).toEqual([])
  })

  it('are only in the catalogue: the code of customer pages has no Arabic word', () => {
    const rooms = ['checkout', 'wallet', 'identity', 'demo', 'design']
    const code = readTree(`src/pages/{${rooms.join(',')}}/*.ts`, 'src/pages/*.ts')
    // Except the link to Arabic, which has an Arabic name everywhere.
    const own = /^.*>العربية<.*$/gm
    const found = code.filter(({ text }) => /[\u0621-\u064a]{2}/.test(text.replace(own, '')))
    expect(found.map(({ path }) => path)).toEqual([])
  })
})
