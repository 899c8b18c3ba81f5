import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { root } from '../support/tree.ts'

// The files of the last build that a browser loads before it shows a page.

interface Chunk {
  readonly file: string
  readonly src?: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly css?: readonly string[]
}

const folder = `${root}dist/dashboard/`
const manifest: Readonly<Record<string, Chunk>> = JSON.parse(readFileSync(`${folder}manifest.json`, 'utf8'))

/** A chunk with all its static imports. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const imported of manifest[name]?.imports ?? []) withImports(imported, seen)
  return seen
}

const fileOf = (name: string): string => manifest[name]?.file ?? name
const gzipped = (file: string): number => gzipSync(readFileSync(folder + file), { level: 9 }).length
const sizeOf = (names: Iterable<string>): number =>
  [...new Set(names)].map(fileOf).reduce((sum, file) => sum + gzipped(file), 0)
const named = (pattern: RegExp): string[] => Object.keys(manifest).filter((name) => pattern.test(name))

/** What the document itself names. */
const index = readFileSync(`${folder}index.html`, 'utf8')
const inIndex = Object.keys(manifest).filter((name) => index.includes(`"/dashboard/${manifest[name]?.file}"`))
const entry = new Set(inIndex.filter((name) => name.endsWith('.js')))
const pages = named(/pages\/.*\/page\.tsx$/)
const texts = ['src/texts/ar.ts', 'src/texts/en.ts']
/** Pages that operators alone open have texts of their own. */
const [, tables = ''] = readFileSync(`${root}dashboard/src/pages.ts`, 'utf8').split('programPages')
const operatorPages = [...tables.matchAll(/pages\/[\w-]+\/page\.tsx/g)].map(([path]) => `src/${path}`)

/** What a browser loads before it shows a page in a language. */
const loadedFor = (page: string, text: string): string[] => {
  const more = operatorPages.includes(page) ? withImports(text.replace('.ts', '-operator.ts')) : []
  return [...entry, ...withImports(page), ...withImports(text), ...more]
}

describe('the first load', () => {
  it('is at most 250 kB of scripts, compressed, at any page and in either language', () => {
    expect(pages.length).toBeGreaterThan(15)
    expect(operatorPages.filter((page) => !pages.includes(page))).toEqual([])
    expect(entry.size).toBeGreaterThan(1)
    for (const page of pages)
      for (const text of texts) expect(sizeOf(loadedFor(page, text)), `${page} in ${text}`).toBeLessThanOrEqual(250_000)
  })

  it('is at most 20 files at any page: each takes a round trip, and a browser sends six requests at a time', () => {
    for (const page of pages)
      for (const text of texts) {
        const files = new Set(loadedFor(page, text).flatMap((name) => [fileOf(name), ...(manifest[name]?.css ?? [])]))
        expect(files.size, `${page} in ${text}`).toBeLessThanOrEqual(20)
      }
  })

  it('is without charts, passkeys, QR codes and notices, which come later', () => {
    const scripts = [...new Set(Object.values(manifest).map(({ file }) => file))].filter((file) => file.endsWith('.js'))
    const first = new Set([...entry].map(fileOf))
    for (const mark of [/uplot/, /navigator\.credentials/, /OPQRST/, /--notifications-swipe-offset/]) {
      const files = scripts.filter((file) => mark.test(readFileSync(folder + file, 'utf8')))
      expect([mark.source, files.length > 0, files.filter((file) => first.has(file))]).toEqual([mark.source, true, []])
    }
  })

  it('brings all styles, at most 60 kB: those that could not be loaded with a page would stay away for good', () => {
    const later = Object.values(manifest).flatMap(({ css = [] }) => css)
    expect(later.filter((file) => !index.includes(`"/dashboard/${file}"`))).toEqual([])
    const styles = inIndex.filter((name) => name.endsWith('.css'))
    expect(styles.length).toBeGreaterThan(0)
    expect(sizeOf(styles)).toBeLessThanOrEqual(60_000)
  })
})
