import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { lazy } from '../../lib/lazy.ts'
import { answerEncoded, type Encoded, encoded } from './encoding.ts'

/** Stylesheets, fonts and scripts of the pages. Each is read once and named by its hash, so browsers can keep it for ever. */

interface Asset extends Encoded {
  readonly type: string
  readonly url: string
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

const fontFiles = new URL('files/', import.meta.resolve('@fontsource/ibm-plex-sans-arabic/package.json'))

/** Subset and weight. */
const fonts = ['arabic-400', 'arabic-600', 'latin-400', 'latin-600']

/** For browsers that take no SVG, for the start screen of a phone, and beside links. */
const pictures = ['favicon.ico', 'touch.png', 'preview.png']

/** The parts of the stylesheets, in cascade order. */
const stylesheets = {
  'nuqta.css': ['fonts', 'tokens', 'base', 'frame', 'controls', 'components', 'print', 'wallet'],
  'docs.css': ['fonts', 'tokens', 'base', 'frame', 'print', 'docs'],
  'front.css': ['front'],
  'card.css': ['card'],
}

/** In a build, scripts are compiled. From source, their types are stripped when they are read. */
const compiled = import.meta.filename.endsWith('.js')

/** Reads every asset, once. Throws when one is missing. */
export const loadAssets = lazy(readAssets)

/** The URL of an asset such as `nuqta.css`. Throws for an unknown name. */
export function assetUrl(name: string): string {
  return assetNamed(name).url
}

function assetNamed(name: string): Asset {
  const asset = loadAssets().get(name)
  if (asset === undefined) throw new Error(`no asset is named ${name}`)
  return asset
}

function readAssets(): Map<string, Asset> {
  const assets = new Map<string, Asset>()
  const add = (name: string, content: Buffer | string): void => {
    assets.set(name, assetOf(name, Buffer.from(content)))
  }
  for (const font of fonts)
    add(`plex-${font}.woff2`, readFileSync(new URL(`ibm-plex-sans-arabic-${font}-normal.woff2`, fontFiles)))
  add('favicon.svg', design('favicon.svg'))
  for (const picture of pictures) add(picture, readFileSync(new URL(`./${picture}`, import.meta.url)))
  const linked = (css: string): string =>
    css.replace(/url\("asset:([^"]+)"\)/g, (_, name: string) => `url("${assets.get(name)?.url ?? missing(name)}")`)
  for (const [name, parts] of Object.entries(stylesheets))
    add(name, linked(parts.map((part) => design(`${part}.css`)).join('')))
  for (const [name, script] of scripts()) add(`${name}.js`, script)
  return assets
}

function missing(name: string): never {
  throw new Error(`no asset is named ${name}`)
}

function design(name: string): string {
  const text = readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
  return name.endsWith('.css') ? text.replace(/\/\*[\s\S]*?\*\/|^\s+/gm, '') : text
}

/** The scripts of src/browser/: one for each file of the folder, joined with the parts that it imports from folders in it. */
function scripts(): (readonly [name: string, script: string])[] {
  const folder = new URL('../../browser/', import.meta.url)
  const ending = compiled ? '.js' : '.ts'
  const names = readdirSync(folder).filter((name) => name.endsWith(ending) && !name.endsWith('.d.ts'))
  return names.map((file) => {
    const name = file.slice(0, -ending.length)
    return [name, scriptText(name)]
  })
}

/** The text of a script of src/browser/ with its parts. */
export function scriptText(name: string): string {
  const parts = partsOf(new URL(`../../browser/${name}${compiled ? '.js' : '.ts'}`, import.meta.url))
  // A block keeps the names of the parts out of the page that loads the script.
  return parts.length === 1 ? (parts[0] ?? '') : `{\n${parts.join('')}}\n`
}

const imported = /^import\s[^;]*?from\s+'(\.[^']+)';?\n/gm
const exported = /^export\s+(?=(?:abstract\s+)?(?:const|function|class)\b)/gm

/** A script and the parts that it imports, each once, before those that use it. */
function partsOf(file: URL, seen = new Set<string>()): string[] {
  if (seen.has(file.href)) return []
  seen.add(file.href)
  const text = readFileSync(file, 'utf8')
  const script = (compiled ? text : stripTypeScriptTypes(text))
    .replace(/^export \{\};?\n?/m, '')
    .replace(/^\/\/# sourceMapping.*$/m, '')
  const before = [...script.matchAll(imported)].flatMap(([, path = '']) => partsOf(new URL(path, file), seen))
  return [...before, script.replace(imported, '').replace(exported, '')]
}

function assetOf(name: string, plain: Buffer): Asset {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = [name.slice(0, dot), name.slice(dot + 1)]
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 12)
  const isCompressed = ending === 'woff2' || ending === 'png'
  return {
    type: types[ending] ?? missing(name),
    url: `/assets/${stem}.${hash}.${ending}`,
    // Fonts and pictures are compressed already.
    ...(isCompressed ? { plain, compressed: undefined } : encoded(plain)),
  }
}

const notFound: Page = {
  status: 404,
  body: 'Not found: open the page again, which names what it needs.\n',
  headers: { 'content-type': 'text/plain; charset=utf-8' },
}

/** `/assets/…`: the URL changes with the content, so browsers can keep it for ever. */
export const assetPage: PageRow<unknown> = {
  path: '/assets/:file',
  async show(request: PageRequest): Promise<Page> {
    const url = `/assets/${request.params['file']}`
    const asset = loadAssets()
      .values()
      .find((one) => one.url === url)
    if (asset === undefined) return notFound
    return answer(asset, request, { 'cache-control': 'public, max-age=31536000, immutable' })
  },
}

/** Serves an asset at another URL with other `headers`. Throws for an unknown name. */
export function answerAsset(name: string, request: PageRequest, own: Page['headers']): Promise<Page> {
  return answer(assetNamed(name), request, own)
}

function answer(asset: Asset, request: PageRequest, own: Page['headers']): Promise<Page> {
  return answerEncoded(asset, request, { 'content-type': asset.type, ...own })
}
