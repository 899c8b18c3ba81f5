import { globSync, readFileSync } from 'node:fs'
import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { readTree, root } from '../support/tree.ts'

// A guide in two languages soon says two things: everything that does not depend on the language must be the same in both.

const markdown = new MarkdownIt({ html: false })
const pairs = readTree('docs/ar/*.md').map(({ path, text }): readonly [string, string, string] => {
  const original = path.replace('docs/ar/', 'docs/')
  return [original, readFileSync(root + original, 'utf8'), text]
})

/** Headings, paragraphs, items, cells: what follows what. */
const shapeOf = (text: string) => markdown.parse(text, {}).map(({ type, tag }) => `${type} ${tag}`)

const tokensOf = (text: string) => markdown.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])])

/** The commands of code blocks, without their comments, and the words that stand as code in a text. */
const codeOf = (text: string) =>
  tokensOf(text)
    .filter(({ type }) => type === 'fence' || type === 'code_inline')
    .map(({ content }) => content.replace(/ +#.*$/gm, ''))
    .sort()

/** Where the links lead, from the folder of the English guides. */
const linksOf = (text: string) =>
  tokensOf(text)
    .filter(({ type }) => type === 'link_open')
    .map((token) => String(token.attrGet('href')).replace('../', ''))
    .sort()

const numbersOf = (text: string) => [...text.matchAll(/\d[\d.,]*(?<=\d)/g)].map(([number]) => number).sort()

describe.each(pairs)('%s in Arabic', (_, english, arabic) => {
  it('has the same headings, paragraphs, lists and tables', () => {
    expect(shapeOf(arabic)).toEqual(shapeOf(english))
  })

  it('has the same commands and names', () => {
    expect(codeOf(arabic)).toEqual(codeOf(english))
  })

  it('has the same links', () => {
    expect(linksOf(arabic)).toEqual(linksOf(english))
  })

  it('has the same numbers', () => {
    expect(numbersOf(arabic)).toEqual(numbersOf(english))
  })
})

it('the guides that work in the dashboard needs are in Arabic, and name it as it is labelled there', () => {
  expect(pairs.map(([path]) => path)).toEqual(
    ['dashboard-merchant', 'dashboard-operator', 'dashboard', 'settlement', 'staff'].map((name) => `docs/${name}.md`),
  )
  const labels = globSync(`${root}dashboard/src/texts/ar/**/*.json`).map((path) => readFileSync(path, 'utf8'))
  const named = pairs.flatMap(([path, , arabic]) =>
    [...arabic.matchAll(/«([^»]*)»/g)].map(([, label = '']) => ({ path, label: label.replaceAll(/\s+/g, ' ') })),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ label }) => !labels.some((texts) => texts.includes(`"${label}"`)))).toEqual([])
})
