import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTree, root } from '../support/tree.ts'

// A rule is cited by its place in docs/spec. A citation that leads nowhere sends its reader to another product's rule.

const pages = new Map(readTree('docs/spec/*.md').map(({ path, text }) => [path, anchorsOf(text)]))
const sources = readTree(
  '{src,test,tools,dashboard/src}/**/*.{ts,tsx,mjs,sql,css}',
  'migrations/*.sql',
  'docs/**/*.md',
  '*.md',
  '.ci/*.{mjs,sh}',
)

interface Citation {
  readonly from: string
  readonly page: string
  readonly anchor: string | undefined
}

function anchorsOf(text: string): string[] {
  return [...text.matchAll(/<a id="([\w-]+)"><\/a>/g)].map(([, id = '']) => id)
}

/** By the path from the project's folder, as comments do, and by links between guides. */
function citationsOf({ path, text }: { path: string; text: string }): Citation[] {
  const byPath = [...text.matchAll(/docs\/spec\/([\w-]+\.md)(?:#([\w-]+))?/g)].map(([, page = '', anchor]) => ({
    from: path,
    page: `docs/spec/${page}`,
    anchor,
  }))
  if (!path.endsWith('.md')) return byPath
  const links = [...text.matchAll(/\]\((?!https?:|docs\/)([^)#\s]*)#([\w-]+)\)/g)].map(([, to = '', anchor]) => ({
    from: path,
    page: to === '' ? path : join(dirname(path), to),
    anchor,
  }))
  return [...byPath, ...links.filter(({ page }) => page.startsWith('docs/spec/'))]
}

/** Forms that name documents outside of the repository. */
const outside = [
  /[Dd]ecisions\s+(?:[*/]+\s+)?§/,
  /\b[Ss]pec,/,
  / \(spec\)/,
  /settings-and-command[s]/,
  /design\/experience\.m[d]/,
]

describe('citations of docs/spec', () => {
  const citations = sources.flatMap(citationsOf)

  it('are found, in the guides and in the code', () => {
    expect(citations.filter(({ from }) => from.startsWith('docs/')).length).toBeGreaterThan(50)
    expect(citations.filter(({ from }) => from.startsWith('src/')).length).toBeGreaterThan(50)
  })

  it('lead to an anchor that is there', () => {
    const broken = citations.filter(({ page, anchor }) => {
      const anchors = pages.get(page)
      return anchors === undefined || (anchor !== undefined && !anchors.includes(anchor))
    })
    expect(broken.map(({ from, page, anchor }) => `${from}: ${page}#${anchor}`)).toEqual([])
  })

  it('are the only ones: no rule is cited from outside of the repository', () => {
    // The text of a migration is recorded with the databases that ran it: its comments stay as they were.
    const left = sources
      .filter(({ path }) => !path.startsWith('migrations/'))
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((_, at, lines) => {
          const pair = `${lines[at]}\n${lines[at + 1] ?? ''}`
          return outside.some((form) => startsInFirstLine(pair, form)) ? [`${path}:${at + 1}`] : []
        }),
      )
    expect(left).toEqual([])
  })
})

function startsInFirstLine(pair: string, form: RegExp): boolean {
  const at = pair.search(form)
  return at >= 0 && at < pair.indexOf('\n')
}

it('every guide and decision that is named is there', () => {
  const named = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bdocs\/[\w/-]+\.md/g)].map(([page]) => ({ path, page })),
  )
  expect(named.length).toBeGreaterThan(500)
  const missing = named.filter(({ page }) => !existsSync(root + page))
  expect(missing.map(({ path, page }) => `${path}: ${page}`)).toEqual([])
})

describe('the pages of docs/spec', () => {
  it('name each anchor once', () => {
    const repeated = [...pages].flatMap(([page, anchors]) =>
      anchors.filter((anchor, at) => anchors.indexOf(anchor) !== at).map((anchor) => `${page}#${anchor}`),
    )
    expect(repeated).toEqual([])
  })

  it('are all listed in their index', () => {
    const index = readTree('docs/spec/README.md')[0]?.text ?? ''
    const others = [...pages.keys()].map((path) => basename(path)).filter((page) => page !== 'README.md')
    expect(others.filter((page) => !index.includes(`](${page})`))).toEqual([])
  })

  it('give every heading an anchor', () => {
    const bare = readTree('docs/spec/*.md').flatMap(({ path, text }) =>
      [...text.matchAll(/^(?!<a id=).*\n(###? .*)$/gm)].map(([, heading]) => `${path}: ${heading}`),
    )
    expect(bare).toEqual([])
  })
})
