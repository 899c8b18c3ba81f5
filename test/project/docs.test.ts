import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTree, root, type SourceFile } from '../support/tree.ts'

// A guide that names a missing file misleads more than no guide.

const guides = readTree('*.md', 'docs/**/*.md')
const everything = new Set(readTree('**/*', '.ci/*', '.*').map(({ path }) => basename(path)))
const topLevel = new Set(readdirSync(root))
/** Made on the reader's machine, and so in no clone. */
const madeLater = /^(data|dist|node_modules|coverage|bench\/results|deploy\/compose\/(secrets|nuqta\.env))(\/|$)/
const fileName = /\.(ts|tsx|mjs|cjs|sql|md|json|sh|yml|yaml)$/

interface Named {
  readonly guide: string
  readonly token: string
}

/** Tokens in backticks or code blocks that look like our paths: in one of our folders, or with the ending of our files. */
function pathsOf({ path, text }: SourceFile): Named[] {
  const spans = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
  const blocks = [...text.matchAll(/^```[\s\S]*?^```/gm)].flatMap(([block]) => block.split(/[\s│├└─]+/))
  return [...spans, ...blocks]
    .map((token) =>
      token
        .replace(/^\.\//, '')
        .replace(/[:#]L?\d+$/, '')
        .replace(/[),;.]+$/, ''),
    )
    .filter((token) => /^[\w.*{},@<>/-]+$/.test(token) && !/^[/@<]|<|:\/\//.test(token) && !madeLater.test(token))
    .filter((token) => (token.includes('/') && topLevel.has(token.split('/')[0] ?? '')) || fileName.test(token))
    .map((token) => ({ guide: path, token }))
}

function isThere({ guide, token }: Named): boolean {
  if (!token.includes('/')) return everything.has(token) || globSync(`**/${token}`, { cwd: `${root}src` }).length > 0
  const places = [token, join(dirname(guide), token), `src/${token}`, `test/${token}`]
  return places.some((place) => existsSync(root + place) || globSync(place, { cwd: root }).length > 0)
}

const anchors = new Map(guides.map(({ path, text }) => [path, anchorsOf(text)]))

/** Explicit anchors, and those that a forge makes of headings. */
function anchorsOf(text: string): string[] {
  const explicit = [...text.matchAll(/<a id="([\w-]+)">/g)].map(([, id = '']) => id)
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return [...explicit, ...headings]
}

describe('the guides', () => {
  const named = guides.flatMap(pathsOf)

  it('are found, and name files', () => {
    expect(guides.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md']),
    )
    expect(named.length).toBeGreaterThan(30)
  })

  it('name only files and folders that are there', () => {
    expect(named.filter((one) => !isThere(one)).map(({ guide, token }) => `${guide}: ${token}`)).toEqual([])
  })

  it('link only to pages that are there', () => {
    const links = guides.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:\]\(|<img src=")(?!https?:|mailto:|#)([^)#"\s]+)/g)].map(([, to = '']) => ({ path, to })),
    )
    const broken = links.filter(({ path, to }) => !existsSync(join(root, dirname(path), to)))
    expect(broken.map(({ path, to }) => `${path}: ${to}`)).toEqual([])
  })

  it('link only to headings and anchors that are there', () => {
    const broken = guides.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g)]
        .map(([, to = '', anchor = '']) => ({ page: to === '' ? path : join(dirname(path), to), anchor }))
        .filter(({ page, anchor }) => !(anchors.get(page)?.includes(anchor) ?? false))
        .map(({ page, anchor }) => `${path}: ${page}#${anchor}`),
    )
    expect(broken).toEqual([])
  })

  it('name only scripts that npm knows', () => {
    const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: object }
    const run = guides.flatMap(({ path, text }) =>
      [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => ({ path, script })),
    )
    expect(run.length).toBeGreaterThan(0)
    expect(run.filter(({ script }) => !(script in scripts))).toEqual([])
  })
})

it('ARCHITECTURE.md has a line for every feature, and for no other', () => {
  const page = readFileSync(`${root}ARCHITECTURE.md`, 'utf8')
  const table = page.slice(page.indexOf('### Features'), page.indexOf('Features build on each other'))
  const listed = [...table.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, name]) => name)
  expect(listed).toEqual(readdirSync(`${root}src/features`).sort())
})

describe('the decisions', () => {
  const decisions = readTree('docs/decisions/*.md')

  it('are numbered without a gap, under one style of heading', () => {
    const numbers = decisions.map(({ path, text }) => [basename(path).slice(0, 4), /^# (\d+)\. /.exec(text)?.[1]])
    const expected = decisions.map((_, at) => [String(at + 1).padStart(4, '0'), String(at + 1)])
    expect(numbers).toEqual(expected)
  })

  it('are all listed in the first one', () => {
    const list = decisions[0]?.text ?? ''
    expect(decisions.slice(1).filter(({ path }) => !list.includes(`](${basename(path)})`))).toEqual([])
  })
})
