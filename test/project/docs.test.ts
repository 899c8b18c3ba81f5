import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SourceFile } from '../support/tree.ts'
import { readTree, root } from '../support/tree.ts'

// A guide that names a file which is no longer there misleads more than no guide.

const guides = readTree('*.md', 'docs/**/*.md')
const everything = new Set(readTree('**/*', '.ci/*', '.*').map(({ path }) => basename(path)))
const topLevel = new Set(readdirSync(root))
/** Made on the machine of the reader, and so in no clone. */
const madeLater = /^(data|dist|node_modules|coverage|bench\/results)(\/|$)/
const fileName = /\.(ts|tsx|mjs|cjs|sql|md|json|sh|yml|yaml)$/

interface Named {
  readonly guide: string
  readonly token: string
}

/** What stands in backticks and looks like a path of ours: in a folder of ours, or with the ending of our files. */
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
      [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, to = '']) => ({ path, to })),
    )
    const broken = links.filter(({ path, to }) => !existsSync(join(root, dirname(path), to)))
    expect(broken.map(({ path, to }) => `${path}: ${to}`)).toEqual([])
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
