import { type Comment, type Node, type Program, parseSync, visitorKeys } from 'oxc-parser'
import type { SourceFile } from './tree.ts'

export interface Parsed {
  readonly file: SourceFile
  readonly program: Program
  readonly comments: readonly Comment[]
}

/** The syntax tree of a TypeScript file. Throws on a syntax error, because an empty tree would pass every rule. */
export function parseFile(file: SourceFile): Parsed {
  const { program, comments, errors } = parseSync(file.path, file.text)
  if (errors.length > 0) throw new Error(`${file.path}: ${errors[0]?.message}`)
  return { file, program, comments }
}

/** Every node below `node`, itself first, in the order of the text. */
export function* walk(node: Node): Generator<Node> {
  const open = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next
    const below: Node[] = []
    for (const key of visitorKeys[next.type] ?? []) {
      const value: unknown = Reflect.get(next, key)
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) below.push(child)
    }
    open.push(...below.reverse())
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** `path:line` of a place in a file, for messages. */
export function place(file: SourceFile, offset: number): string {
  return `${file.path}:${lineOf(file, offset)}`
}

/** Where the lines of a file end: a file is asked for many places. */
const lineEnds = new WeakMap<SourceFile, readonly number[]>()

/** The number of the line of a place, from 1. */
function lineOf(file: SourceFile, offset: number): number {
  const ends = lineEnds.get(file) ?? [...file.text.matchAll(/\n/g)].map(({ index }) => index)
  lineEnds.set(file, ends)
  return ends.filter((end) => end < offset).length + 1
}

export interface FunctionLength {
  readonly at: string
  readonly lines: number
}

/** Every function with a body, and its number of lines, except the groups of test files (`describe`). */
export function functionLengths({ file, program }: Parsed): FunctionLength[] {
  const groups = new Set<Node>()
  const found: FunctionLength[] = []
  for (const node of walk(program)) {
    if (node.type === 'CallExpression' && file.text.startsWith('describe', node.start))
      for (const argument of node.arguments) groups.add(argument)
    if (
      node.type !== 'FunctionDeclaration' &&
      node.type !== 'FunctionExpression' &&
      node.type !== 'ArrowFunctionExpression'
    )
      continue
    if (!groups.has(node))
      found.push({ at: place(file, node.start), lines: lineOf(file, node.end) - lineOf(file, node.start) + 1 })
  }
  return found
}

/** The exported functions and classes of a file without a docstring. */
export function undocumented({ file, program, comments }: Parsed): string[] {
  return program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || !isCallable(node.declaration)) return []
    const documented = comments.some(
      ({ type, value, end }) =>
        type === 'Block' && value.startsWith('*') && file.text.slice(end, node.start).trim() === '',
    )
    return documented ? [] : [place(file, node.start)]
  })
}

function isCallable(node: Node | null): boolean {
  if (node === null) return false
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return true
  return (
    node.type === 'VariableDeclaration' &&
    node.declarations.some(
      ({ init }) => init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression',
    )
  )
}

export interface Text {
  readonly at: string
  readonly text: string
}

/** Every string and template of a file, with `$` where a template has an expression. */
export function texts({ file, program }: Parsed): Text[] {
  return [...walk(program)].flatMap((node) => {
    if (node.type === 'Literal' && typeof node.value === 'string')
      return [{ at: place(file, node.start), text: node.value }]
    if (node.type === 'TemplateLiteral')
      return [{ at: place(file, node.start), text: node.quasis.map(({ value }) => value.cooked ?? '').join('$') }]
    return []
  })
}
